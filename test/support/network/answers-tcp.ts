import { connect } from 'node:net'

/** Whether something listens on a port of 127.0.0.1. */
export function answersTcp(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const finish = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}
