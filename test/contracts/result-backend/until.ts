export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
