import { time as english } from './en/time.ts'
import { whenChosen } from './texts.ts'

export let timeTexts = english

whenChosen(chosen => { timeTexts = chosen?.time ?? english })
