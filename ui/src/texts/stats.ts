import { stats as english } from './en/stats.ts'
import { whenChosen } from './texts.ts'

export let statsTexts = english

whenChosen(chosen => { statsTexts = chosen?.stats ?? english })
