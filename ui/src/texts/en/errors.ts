/** Messages of the server. Other languages translate them. */
export const errors = {
  /**
   * @param _code the stable code of the API
   * @param detail the server's own sentence, which is English
   */
  say: (_code: string, detail: string): string => detail,
  /** @param message what is wrong with a field; follows its name */
  sayOfField: (message: string): string => message,
  /** @param message about a part, from the health check, or about a worker */
  sayOfPart: (message: string): string => message
}
