import { groupBy } from './group-by.ts'

/**
 * Reads items in groups with the same key: one call for each key, all in parallel.
 * @param read returns values in the order of its items
 * @returns the values, in the order of the items
 */
export async function readByGroup<Item, Key, Value>(
  items: readonly Item[], keyOf: (item: Item) => Key, read: (key: Key, items: Item[]) => Promise<readonly Value[]>
): Promise<Value[]> {
  const groups = [...groupBy([...items.entries()], ([, item]) => keyOf(item))]
  const answers = await Promise.all(groups.map(([key, group]) => read(key, group.map(([, item]) => item))))
  const found: Value[] = []
  for (const [at, [, group]] of groups.entries()) for (const [of, [index]] of group.entries()) found[index] = answers[at]![of]!
  return found
}
