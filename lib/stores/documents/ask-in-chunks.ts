import { inChunks } from '../../collections/in-chunks.ts'

const IDS_AT_A_TIME = 1_000

/** Reads many ids in bounded chunks, all in parallel. Returns the results in the order of the ids. */
export async function askInChunks<Answer>(
  ids: readonly string[], ask: (ids: readonly string[]) => Promise<readonly Answer[]>
): Promise<Answer[]> {
  return (await Promise.all(inChunks(ids, IDS_AT_A_TIME).map(ask))).flat()
}

const DOCUMENTS_AT_A_TIME = 500

/** Writes many documents in bounded chunks, all in parallel. Resolves with the results in order. */
export async function inChunksAtOnce<Item, Answer>(
  items: readonly Item[], write: (chunk: readonly Item[]) => Promise<Answer>
): Promise<Answer[]> {
  return await Promise.all(inChunks(items, DOCUMENTS_AT_A_TIME).map(write))
}
