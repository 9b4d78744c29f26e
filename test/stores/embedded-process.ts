import { createStore } from '../../lib/stores/create-store.ts'

// A process that writes to an embedded folder until it is killed; it says what was acknowledged.
const store = createStore(process.argv[2]!, { namespace: 'killed', role: 'broker', onError() {} })
await store.start()
for (;;) console.log(`written ${await store.documents.increment('writes', 'all', 1)}`)
