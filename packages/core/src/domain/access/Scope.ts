/**
 * What an API key may be limited to: `read` what is there, send and write `messages` (and contacts, leads, tasks), run
 * the `pipeline`. What each covers is decided in `Permission`.
 */
export const scopes = ["read", "messages", "pipeline"] as const

/** A limit of an API key. */
export type Scope = (typeof scopes)[number]
