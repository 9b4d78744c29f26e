/** Ctrl-C, what supervisors send, and a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls the listener for each signal that asks this process to end, which then ends by itself.
 * @returns what ends this
 */
export function onEndingSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener)
  return () => { for (const signal of SIGNALS) process.off(signal, listener) }
}
