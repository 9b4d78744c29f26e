import { rows as english } from './en/execution-rows.ts'
import { whenChosen } from './texts.ts'

export let rowTexts = english

whenChosen(chosen => { rowTexts = chosen?.rows ?? english })
