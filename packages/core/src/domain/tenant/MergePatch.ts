const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Applies a JSON merge patch (RFC 7396, section 2): `null` takes a field away, objects are merged, everything else
 * replaces what was there, lists as a whole. The depth is the caller's to bound.
 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // Not assignments: a field may be called `__proto__`.
  return Object.fromEntries(merged)
}
