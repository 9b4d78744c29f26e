import { launchChromium } from '../test/support/programs/chromium.ts'
import { photographActions } from './photograph/actions.ts'
import { photographFaults } from './photograph/faults.ts'
import { photographGallery } from './photograph/gallery.ts'
import { photographPages } from './photograph/pages.ts'

/** `npm run photograph [pages|actions|faults|gallery]`: the pictures of docs/images. Ends within twenty minutes, whatever happens. */
const ALL_MS = 1_200_000
const KINDS = { pages: photographPages, actions: photographActions, faults: photographFaults, gallery: photographGallery }

setTimeout(() => {
  console.error(`The photographs were not taken within ${ALL_MS / 1000} s`)
  process.exit(1)
}, ALL_MS).unref()

const [wanted] = process.argv.slice(2)
if (wanted !== undefined && !Object.hasOwn(KINDS, wanted)) throw new Error(`Not ${wanted}, but ${Object.keys(KINDS).join(', ')} or none`)

const browser = await launchChromium()
try {
  for (const [kind, photograph] of Object.entries(KINDS)) if (wanted === undefined || wanted === kind) await photograph(browser)
} finally {
  await browser.close()
}
