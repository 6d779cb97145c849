// The error of the client: a code for programs, a sentence for people, and what to do.

/**
 * An error of the client, with the codes and the texts of `ClientError` of the Swift client.
 */
export class ContrailError extends Error {
  /**
   * @param {{code: string, message: string, advice?: string, scope?: string | null, host?: string | null, isTransient?: boolean}} parts
   */
  constructor({ code, message, advice = "", scope = null, host = null, isTransient = false }) {
    super(message);
    this.name = "ContrailError";
    /** A stable code, such as `unauthorized`, `network`, `disk`, `invalidQuery` or `stopped`. */
    this.code = code;
    /** What to do, as a sentence that can be shown. */
    this.advice = advice;
    /** The scope that it concerns, such as `corridor`; null if it concerns all. */
    this.scope = scope;
    /** The host of the server that it concerns. */
    this.host = host;
    /** Whether the client tries again by itself. */
    this.isTransient = isTransient;
  }

  /** The members, as `postMessage` and `JSON.stringify` carry them. */
  toJSON() {
    const { code, message, advice, scope, host, isTransient } = this;
    return { code, message, advice, scope, host, isTransient };
  }
}

/** The error of everything that is asked of a stopped client. */
export function stoppedError() {
  return new ContrailError({ code: "stopped", message: "The client was stopped", advice: "Create a new client." });
}

/**
 * An error as the client's, whatever was thrown.
 *
 * @param {any} error
 * @returns {ContrailError}
 */
export function asContrailError(error) {
  if (error instanceof ContrailError) return error;
  if (error && typeof error.code === "string" && typeof error.advice === "string") return new ContrailError(error);
  return new ContrailError({
    code: "internal", message: String(error?.message ?? error), advice: "Report this error with its code.",
  });
}
