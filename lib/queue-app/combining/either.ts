import { isStoreFailure } from '../../stores/failures/unavailable.ts'

/**
 * Makes two independent reads. If the store of one is down, its result is null. If both are down, or the only one that was requested, the
 * call rejects.
 */
export async function readBoth<One, Other>(
  own: (() => Promise<One>) | null, others: (() => Promise<Other>) | null
): Promise<{ readonly own: One | null; readonly others: Other | null }> {
  if (own === null) return { own: null, others: others && await others() }
  if (others === null) return { own: await own(), others: null }
  const [ofOwn, ofOthers] = await Promise.all([settled(own), settled(others)])
  if ('error' in ofOwn && 'error' in ofOthers) throw ofOwn.error
  return { own: 'error' in ofOwn ? null : ofOwn.value, others: 'error' in ofOthers ? null : ofOthers.value }
}

/** Returns the error of an outage. Any other error is thrown. */
export async function settled<Value>(read: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly error: Error }> {
  try {
    return { value: await read() }
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return { error }
  }
}
