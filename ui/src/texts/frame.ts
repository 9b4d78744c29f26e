import { frame as english } from './en/frame.ts'
import { whenChosen } from './texts.ts'

export let frameTexts = english

whenChosen(chosen => { frameTexts = chosen?.frame ?? english })
