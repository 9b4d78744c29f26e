/**
 * Asks the host's function for the password of a new connection. Rejects with PASSWORD_FUNCTION_FAILED, since what the host throws may have
 * any shape.
 */
export function askForPassword(password: () => string | Promise<string>): () => Promise<string> {
  return async () => {
    let answer: unknown
    try {
      answer = await password()
    } catch (error) {
      throw Object.assign(new Error('The function `password` failed', { cause: error }), { code: 'PASSWORD_FUNCTION_FAILED' })
    }
    if (typeof answer === 'string' && answer !== '') return answer
    throw Object.assign(new Error('The function `password` did not return a string'), { code: 'PASSWORD_FUNCTION_FAILED' })
  }
}
