import { isStoreFailure } from '../../stores/failures/unavailable.ts'

/**
 * Two reads that do not need each other: if the store of one of them is away, null stands for its answer. If both are, or only one was
 * asked, the call rejects.
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

/** Only for outages. Whatever else goes wrong is thrown. */
export async function settled<Value>(read: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly error: Error }> {
  try {
    return { value: await read() }
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return { error }
  }
}
