/** Changes to the parameters of an address; null removes one. */
export type AddressChange = Readonly<Record<string, string | null>>

export function withParameters(search: string, change: AddressChange): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString()
  return text ? `?${text}` : ''
}
