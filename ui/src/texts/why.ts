import { why as english } from './en/why.ts'
import { whenChosen } from './texts.ts'

export let whyTexts = english

whenChosen(chosen => { whyTexts = chosen?.why ?? english })
