type IsOptional<T, Key extends keyof T> = string extends Key ? true : undefined extends T[Key] ? true : false

/**
 * A JSON merge patch (RFC 7396) of `T`. Absent fields stay unchanged, and `null` removes an optional field or an entry.
 * A list is replaced as a whole.
 */
export type MergePatch<T> =
  T extends ReadonlyArray<unknown>
    ? T
    : T extends object
      ? {
          readonly [Key in keyof T]?: MergePatch<T[Key]> | (IsOptional<T, Key> extends true ? null : never) | undefined
        }
      : T
