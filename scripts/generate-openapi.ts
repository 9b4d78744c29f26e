import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../lib/dashboard/resources/openapi/openapi-document.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The files generated from the schemas, by path from the package root. `npm run build:openapi` writes them; a test compares them. */
export async function generatedFiles(): Promise<Map<string, string>> {
  // Through JSON, as a client gets it, which drops undefined values.
  const json = JSON.stringify(await openApiDocument(), null, 2)
  // Body members with a default stay optional for the sender.
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
