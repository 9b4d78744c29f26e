import { elements as english } from './en/elements.ts'
import { whenChosen } from './texts.ts'

export let elementTexts = english

whenChosen(chosen => { elementTexts = chosen?.elements ?? english })
