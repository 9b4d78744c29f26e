const NOW = Date.now()

/** RFC 3339, so many seconds ago. */
export const ago = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString()
export const ahead = (seconds: number): string => ago(-seconds)

export const HOSTILE = `</script><img src=x onerror=alert(1)>\u202e rtl 🎉 "'\`\${x}`
export const LONG = 'a name without an end '.repeat(40)
/** Nowhere to break it. */
export const UNBROKEN = 'averylongnamewithoutaspace'.repeat(20)
