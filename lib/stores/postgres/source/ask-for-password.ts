/** Calls the host's password function for a new connection. Rejects with PASSWORD_FUNCTION_FAILED, because the host may throw anything. */
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
