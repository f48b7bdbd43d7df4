import { Effect } from "effect"
import type { OutgoingAttachment } from "../../domain/email/OutgoingMail.ts"
import { Objects } from "../../port/system/Objects.ts"

/** The contents of all files, or the reason why one is missing. `isFinal`: a later attempt would fail too. */
export type ReadFiles =
  | { readonly _tag: "Read"; readonly files: ReadonlyArray<Uint8Array> }
  | { readonly _tag: "Missing"; readonly reason: string; readonly isFinal: boolean }

/** Reads the contents of attachments, in their order. */
export const readFiles = Effect.fnUntraced(
  function* (tenantId: string, attachments: ReadonlyArray<OutgoingAttachment>) {
    const { get } = yield* Objects
    const files: Array<Uint8Array> = []
    for (const { filename, objectKey } of attachments) {
      const bytes = yield* get(tenantId, objectKey)
      if (bytes === null) {
        const reason = `the attachment ${filename} is no longer stored`
        return { _tag: "Missing", reason, isFinal: true } as ReadFiles
      }
      files.push(bytes)
    }
    return { _tag: "Read", files } as ReadFiles
  },
  Effect.catchTag("ObjectsUnavailable", ({ reason }) =>
    Effect.succeed<ReadFiles>({ _tag: "Missing", reason, isFinal: false })
  )
)
