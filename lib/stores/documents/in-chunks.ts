/** Lua unpacks 8,000 arguments at most, and a script or a statement over that many holds up all others. */
const IDS_AT_A_TIME = 1_000

/** Asks for many ids a bounded number at a time, all at once. Answers in the order of the ids. */
export async function inChunks<Answer>(ids: readonly string[], ask: (ids: readonly string[]) => Promise<readonly Answer[]>): Promise<Answer[]> {
  if (ids.length <= IDS_AT_A_TIME) return ids.length === 0 ? [] : [...await ask(ids)]
  const chunks: Array<readonly string[]> = []
  for (let start = 0; start < ids.length; start += IDS_AT_A_TIME) chunks.push(ids.slice(start, start + IDS_AT_A_TIME))
  return (await Promise.all(chunks.map(ask))).flat()
}
