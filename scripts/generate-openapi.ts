import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../lib/dashboard/resources/openapi/openapi-document.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What is generated from the schemas, by path from the root of the package. `npm run build:openapi` writes it, a test compares it. */
export async function generatedFiles(): Promise<Map<string, string>> {
  // Through JSON, as a client gets it: what is undefined is gone.
  const json = JSON.stringify(await openApiDocument(), null, 2)
  // Members of a body that have a default stay optional for the one who sends it.
  const types = astToString(await openapiTS(json, { defaultNonNullable: false }))
  return new Map([
    ['docs/openapi.json', `${json}\n`],
    ['lib/client/generated-schema.ts', '/* eslint-disable */\n// Generated from docs/openapi.json by ' +
      `scripts/generate-openapi.ts. Do not edit.\n${types}`]
  ])
}

export async function writeGeneratedFiles(): Promise<void> {
  for (const [path, text] of await generatedFiles()) {
    const file = join(ROOT, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

if (process.argv[1]?.endsWith('generate-openapi.ts')) await writeGeneratedFiles()
