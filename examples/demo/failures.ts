/** Errors of the shop. Live executions and the generated history share them, so that both fall into the same failure groups. */
export const failures = {
  greylisted: (to: string) => failure('SmtpError', `451 4.7.1 <${to}>: Recipient address rejected: Greylisted, please try again later`),
  noMailbox: (to: string) => failure('SmtpError', `550 5.1.1 <${to}>: Recipient address rejected: User unknown in virtual mailbox table`),
  noVatRate: (order: number) => failure('TypeError', `Cannot read properties of undefined (reading 'vatRate') in order ${order}`),
  refused: (host: string) => failure('FetchError', `connect ECONNREFUSED ${host}:443`),
  unavailable: (host: string) => failure('HttpError', `${host} answered 503 Service Unavailable`),
  colours: (picture: string) => failure('RangeError', `${picture}: unsupported colour space CMYK`),
  bucketFull: () => failure('QuotaExceededError', 'Bucket catalogue-exports is full: 10.0 of 10 GB used'),
  deadlock: (shelf: number) => failure('DatabaseError', `deadlock detected while shelf ${shelf} was written`)
}

/** Makes the stack start at the failed task instead of here. */
function failure(name: string, message: string): Error {
  const error = Object.assign(new Error(message), { name })
  if (error.stack) error.stack = error.stack.replace(/^.*\n.*\n.*/, `${name}: ${message}`)
  return error
}
