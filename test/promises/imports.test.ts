import t from 'tap'
import { importsOf, listFiles, type Import } from '../support/source-files.ts'

interface Layer {
  /** The files of the layer. A file belongs to the first layer that matches. */
  files: RegExp
  /**
   * What it may import from the project, and from where only types and constants (limits are declared once, in the schemas). Files of the
   * same layer are always allowed.
   */
  may: readonly RegExp[]
  mayTypes?: readonly RegExp[]
  /** The packages it may import. All of lib/ may import Node's own modules. */
  packages: readonly (string | RegExp)[]
}

const shared = /^lib\/(time\/|json\/|collections\/|input\/|(errors|execution|own-file|task-map|task-reference|version)\.ts$)/
const schemas = /^schemas\//

const layers: Record<string, Layer> = {
  schemas: { files: schemas, may: [], packages: ['@sinclair/typebox'] },
  errors: { files: /^lib\/errors\.ts$/, may: [], packages: [] },
  time: { files: /^lib\/time\//, may: [], mayTypes: [schemas], packages: [] },
  json: { files: /^lib\/json\//, may: [], packages: [] },
  collections: { files: /^lib\/collections\//, may: [], packages: [] },
  input: { files: /^lib\/input\//, may: [/^lib\/errors\.ts$/], packages: [] },
  'own-file': { files: /^lib\/own-file\.ts$/, may: [], packages: [] },
  'task-map': { files: /^lib\/task-map\.ts$/, may: [], mayTypes: [/^lib\/(json\/|task-reference\.ts$)/], packages: [] },
  'task-reference': { files: /^lib\/task-reference\.ts$/, may: [], packages: [] },
  version: { files: /^lib\/version\.ts$/, may: [], packages: [] },
  execution: { files: /^lib\/execution\.ts$/, may: [], mayTypes: [schemas], packages: [] },
  stores: { files: /^lib\/stores\//, may: [shared], packages: ['ioredis', 'pg', 'pg-types', '@electric-sql/pglite'] },
  engine: { files: /^lib\/engine\//, may: [shared, /^lib\/stores\//], mayTypes: [schemas], packages: ['bullmq', 'cron-parser'] },
  backend: { files: /^lib\/backend\//, may: [shared, /^lib\/stores\//], mayTypes: [schemas], packages: [] },
  scheduler: { files: /^lib\/scheduler\//, may: [shared, /^lib\/stores\//], mayTypes: [schemas], packages: ['cronstrue', 'uuid'] },
  'queue-app': { files: /^lib\/queue-app\//, may: [shared, /^lib\/(stores|engine|backend|scheduler)\//], mayTypes: [schemas], packages: ['uuid'] },
  'readers and commands': {
    files: /^lib\/dashboard\/resources\/(.+\/)?([a-z-]+-(reader|commands|cursor)|timeline|answer|instant|snapshots|to-[a-z-]+|wire-values|writing)\.ts$/,
    may: [shared, schemas, /^lib\/dashboard\/(actions|http\/routes\/address|http\/forwarding-headers|options)\.ts$/],
    mayTypes: [/^lib\/queue-app\//],
    packages: []
  },
  dashboard: {
    files: /^lib\/dashboard\//,
    may: [shared, schemas],
    mayTypes: [/^lib\/queue-app\//],
    packages: ['fastify', 'fastify-plugin', 'rate-limiter-flexible', '@sinclair/typebox', /^@fastify\//]
  },
  hosts: { files: /^lib\/hosts\//, may: [shared, /^lib\/dashboard\//], mayTypes: [/^lib\/queue-app\//], packages: [
    'fastify', 'fastify-plugin'
  ] },
  cli: { files: /^lib\/cli\//, may: [shared, /^lib\/(queue-app\/(migration\/|describe-errors\.ts$)|index\.ts$)/], mayTypes: [schemas], packages: ['fastify'] },
  client: { files: /^lib\/client\//, may: [], mayTypes: [schemas], packages: ['openapi-fetch'] },
  'the public face': { files: /^lib\/index\.ts$/, may: [shared, /^lib\/(queue-app|dashboard|hosts)\//], mayTypes: [schemas, /^lib\/scheduler\//], packages: [] },
  'pages of the interface': {
    files: /^ui\/src\/pages\//,
    may: [/^ui\/src\/(components|api|hooks|format|styles|texts)\//],
    mayTypes: [schemas, /^lib\/client\//],
    packages: [/^(react|wouter|uplot|@tanstack\/)/]
  },
  'components of the interface': {
    files: /^ui\/src\/components\//,
    may: [/^ui\/src\/(hooks|format|styles|texts)\//],
    mayTypes: [schemas, /^lib\/client\//],
    packages: [/^(react|wouter|uplot|@tanstack\/react-virtual)/]
  },
  'api of the interface': { files: /^ui\/src\/api\//, may: [/^ui\/src\/(format|texts)\//], mayTypes: [schemas, /^lib\/client\//], packages: [
    /^(react|@tanstack\/react-query|openapi-fetch)/
  ] },
  'hooks of the interface': { files: /^ui\/src\/hooks\//, may: [/^ui\/src\/(api|format|texts)\//], mayTypes: [schemas], packages: [/^(react|wouter|@tanstack\/)/] },
  'format of the interface': { files: /^ui\/src\/format\//, may: [/^ui\/src\/texts\//], mayTypes: [schemas], packages: [] },
  'texts of the interface': { files: /^ui\/src\/texts\//, may: [], packages: ['react'] }
}

// The table is a promise about existing code. The root of the SPA wires everything together and may import anything.
const files = [...listFiles('lib', /\.ts$/), ...listFiles('schemas', /\.ts$/), ...listFiles('ui/src', /\.tsx?$/)]
const imports = files.flatMap(importsOf)

t.test('every file of lib/ and schemas/ belongs to a layer', async t => {
  t.ok(files.length > 20, 'there are files')
  t.same(files.filter(file => !file.startsWith('ui/') && layerOf(file) === undefined), [])
})

t.test('every layer imports only what it may', async t => {
  t.same(imports.filter(each => !isAllowed(each)).map(describeImport), [])
})

t.test('only the engine imports bullmq, and only the stores import ioredis, pg and PGlite', async t => {
  const owners = { bullmq: 'lib/engine/', ioredis: 'lib/stores/', pg: 'lib/stores/', '@electric-sql/pglite': 'lib/stores/' }
  for (const [name, folder] of Object.entries(owners)) {
    const users = imports.filter(each => each.to === name)
    t.ok(users.length > 0, `${name} is used`)
    t.same(users.filter(each => !each.from.startsWith(folder)).map(describeImport), [])
  }
})

t.test('pg and PGlite are loaded only when a URL needs them', async t => {
  const loadedAlways = imports.filter(each => ['pg', '@electric-sql/pglite'].includes(each.to) && !each.isType && !each.isLazy)
  t.same(loadedAlways.map(describeImport), [])
})

t.test('a port does not import its drivers', async t => {
  const ports =
    /^lib\/(engine\/engine|engine\/queues\/queue-reads|engine\/finished\/finished-sets|engine\/observing\/observed-server|engine\/observing\/managing\/manage-queues|backend\/result-backend|scheduler\/schedules|stores\/store|stores\/documents\/documents|stores\/answers\/answers|stores\/audit\/audit|queue-app\/monitoring\/monitoring|queue-app\/operations\/operations)\.ts$/
  const drivers =
    /^lib\/(engine\/bullmq|engine\/.+\/(redis|sql|bullmq)-|engine\/observing\/(redis|postgres)\/|engine\/observing\/managing\/manage-(redis|postgres)|backend\/(redis|postgres)\/|scheduler\/scheduler\.ts|stores\/(redis|postgres|embedded)\/|stores\/.+\/(redis|sql)-|queue-app\/queue-app\.ts|queue-app\/(monitoring|operations)\/create-)/
  t.same(imports.filter(each => ports.test(each.from) && drivers.test(each.to)).map(describeImport), [])
})

t.test('there are no import cycles, not even between types', async t => {
  t.same(findCycles(imports.filter(each => !each.isPackage)), [])
})

function layerOf(file: string): Layer | undefined {
  return Object.values(layers).find(layer => layer.files.test(file))
}

function isAllowed({ from, to, isPackage, isType, names }: Import): boolean {
  const layer = layerOf(from)
  if (layer === undefined) return true
  if (isPackage) {
    if (to === 'node:') return !from.startsWith('ui/') && !from.startsWith('schemas/')
    return layer.packages.some(allowed => typeof allowed === 'string' ? allowed === to : allowed.test(to))
  }
  const isConstant = names.length > 0 && names.every(name => /^[A-Z][A-Z0-9_]*$/.test(name)) && schemas.test(to)
  const allowed = isType || isConstant ? [...layer.may, ...layer.mayTypes ?? []] : layer.may
  return layer.files.test(to) || allowed.some(pattern => pattern.test(to))
}

function describeImport({ from, to, isType }: Import): string {
  return `${from} imports ${isType ? 'types of ' : ''}${to}`
}

function findCycles(edges: readonly Import[]): string[] {
  const targets = new Map<string, Import[]>()
  for (const edge of edges) targets.set(edge.from, [...targets.get(edge.from) ?? [], edge])
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const edge of targets.get(file) ?? []) walk(edge.to, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) walk(file, [])
  return cycles
}
