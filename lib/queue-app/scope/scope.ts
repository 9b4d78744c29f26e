/** Which tasks a reader may see. */
export interface Scope {
  /** Never throws. */
  sees(taskName: string): boolean
}

/**
 * Creates the scope that a predicate describes. The predicate is called at most once for each name. A task is hidden if the predicate
 * throws, or returns anything but `true`.
 */
export function createScope(isVisible: (taskName: string) => unknown): Scope {
  const known = new Map<string, boolean>()
  return {
    sees(taskName) {
      let isSeen = known.get(taskName)
      if (isSeen === undefined) known.set(taskName, isSeen = decide(isVisible, taskName))
      return isSeen
    }
  }
}

function decide(isVisible: (taskName: string) => unknown, taskName: string): boolean {
  try {
    const said = isVisible(taskName)
    // An async predicate hides everything. Its rejection is caught, because nothing else would handle it.
    if (said instanceof Promise) said.catch(() => {})
    return said === true
  } catch {
    return false
  }
}
