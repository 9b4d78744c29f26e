import { help as english } from './en/help.ts'
import { whenChosen } from './texts.ts'

export let helpTexts = english

whenChosen(chosen => { helpTexts = chosen?.help ?? english })
