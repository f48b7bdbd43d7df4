/** The part of `fetch` that the client needs. The global `fetch` has this type. Tests may pass a stub. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly signal: AbortSignal
    readonly redirect: "manual"
    readonly body?: string | Uint8Array<ArrayBuffer>
  }
) => Promise<FetchResponse>

/** The part of a streamed body that the client needs. The body of the global `fetch` has this type. */
export interface ByteStream {
  readonly getReader: () => {
    readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    readonly cancel: () => Promise<void>
  }
}

/** The part of a `Response` that the client needs. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
  /** Needed for event streams and downloads only. */
  readonly body?: ByteStream | null
}
