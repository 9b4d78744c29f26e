/** Sets a variable in the environment of this process. @returns what puts it back as it was */
export function setVariable(name: string, value: string): () => void {
  const before = process.env[name]
  process.env[name] = value
  return () => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}
