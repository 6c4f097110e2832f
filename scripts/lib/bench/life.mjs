/** One life of a stack in steps, so that two lives can take turns on one machine. */
export const stepNames = ["up", "preview", "refresh", "update", "destroy"];

export class Life {
  /**
   * @param program the program's text, given a count and how many rules are revised.
   * @param service the emulator whose requests are counted; none for a provider that sends nothing.
   */
  constructor(stack, program, count, service) {
    Object.assign(this, { stack, program, count, service });
    this.steps = {};
  }

  /** Runs one step and notes its seconds, its requests and the memory of its plugin. */
  async step(name) {
    this.stack.write(this.program(this.count, name === "update" ? Math.ceil(this.count / 10) : 0));
    // The change of the update stays.
    if (name === "destroy") this.state = this.stack.stateText();
    await this.service?.takeRequests();
    const { seconds, memory } = await this.stack.run(...commands[name]);
    const requests = (await this.service?.takeRequests()) ?? [];
    this.steps[name] = { seconds, memory, requests: requests.length };
    return requests;
  }
}

const commands = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  update: ["up", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};
