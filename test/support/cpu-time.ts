/** The processor time that this process spends on work, in milliseconds: a loaded machine does not make it longer. */
export async function cpuMilliseconds(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
