import { bulk as english } from './en/bulk.ts'
import { whenChosen } from './texts.ts'

export let bulkTexts = english

whenChosen(chosen => { bulkTexts = chosen?.bulk ?? english })
