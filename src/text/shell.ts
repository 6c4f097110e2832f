/** The text as one word of a command that a reader may copy: what means something to a shell is in quotation marks. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
