/** An error whose text is the whole line for the user, with its exit code. */
export class StartError extends Error {
  readonly code = "start";

  constructor(
    message: string,
    readonly exitCode: number = 1,
  ) {
    super(message);
  }
}
