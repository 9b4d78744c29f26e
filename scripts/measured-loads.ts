import { writeFile } from 'node:fs/promises'

const LIST = new URL('./file-loads.json', import.meta.url)

/** Shorter files are left out of the list. */
const MIN_SECONDS = 4

/** Files of a pack share one Chromium, so no file's CPU time includes it. Measured from outside, it uses three times that of the tests. */
const BROWSER = { files: /^test\/browser\//, factor: 4.2 }

/** All files share the run's Redis and PostgreSQL, whose CPU time is a tenth of that of the files. */
const SERVERS_FACTOR = 1.1

/** Packs are left out: their files are measured one by one, and adding a file changes which pack contains which files. */
const PACK = /^test\/pack-\d+\.test\.ts$/

export interface Measured {
  readonly file: string
  readonly seconds: number
  /** CPU time of its process and the children it waited for. */
  readonly processorSeconds: number
}

/** Replaces the list by which a run is scheduled: `[seconds, cores]` of each file, the longest first. */
export async function writeLoads(results: readonly Measured[], path: URL | string = LIST): Promise<void> {
  const lines = results
    .filter(({ file, seconds }) => seconds >= MIN_SECONDS && !PACK.test(file))
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(result => `  ${JSON.stringify(result.file)}: [${Math.round(result.seconds)}, ${coresOf(result).toFixed(2)}]`)
  await writeFile(path, `{\n${lines.join(',\n')}\n}\n`)
}

function coresOf({ file, seconds, processorSeconds }: Measured): number {
  return Math.min(1, processorSeconds * (BROWSER.files.test(file) ? BROWSER.factor : SERVERS_FACTOR) / seconds)
}
