/** What the server says of a refusal. */
export const errors = {
  /**
   * @param _code of the API, stable
   * @param detail the server's own sentence, which is English
   */
  say: (_code: string, detail: string): string => detail,
  /** @param message of a field, after its name */
  sayOfField: (message: string): string => message,
  /** @param message of a part, from the health check, or of a worker */
  sayOfPart: (message: string): string => message
}
