import { search as english } from './en/search.ts'
import { whenChosen } from './texts.ts'

export let searchTexts = english

whenChosen(chosen => { searchTexts = chosen?.search ?? english })
