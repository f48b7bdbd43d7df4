import { Api } from "@leadloom/api/internal/Api"
import { contactImportToJson, type StartImport } from "@leadloom/api/internal/contact/ContactImports"
import { ContactImports } from "@leadloom/core/internal/port/repository/contact/ContactImports"
import { ImportInvalid } from "@leadloom/core/internal/domain/import/ContactImport"
import { listImports } from "@leadloom/core/internal/workflow/import/ListImports"
import { startImport } from "@leadloom/core/internal/workflow/import/StartImport"
import { undoImport } from "@leadloom/core/internal/workflow/import/UndoImport"
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Base64 from "effect/encoding/Base64"
import { answer } from "../../error/errors.ts"

/** The default number of imports per page. */
const defaultPageSize = 50

const fail = (reason: string) => Effect.fail(new ImportInvalid({ field: "file", reason }))

/** Returns the bytes of a file, which the request contains as text or in base64. */
const bytesOf = ({ csv, file }: typeof StartImport.Type) => {
  if ((csv === undefined) === (file === undefined)) return fail("Send either csv or file.")
  if (file === undefined) return Effect.succeed(new TextEncoder().encode(csv))
  return Result.match(Base64.decode(file), {
    onSuccess: (bytes) => Effect.succeed(bytes),
    onFailure: () => fail("The file is not valid base64.")
  })
}

/** Endpoints for imports of contacts from CSV files. */
export const layer = HttpApiBuilder.group(Api, "contactImports", (handlers) =>
  handlers.handleAll({
    start: Effect.fnUntraced(function* ({ params, payload }) {
      const request = {
        file: yield* answer(bytesOf(payload)),
        mapping: payload.mapping,
        dryRun: payload.dry_run ?? false,
        onConflict: payload.on_conflict ?? "skip"
      }
      return contactImportToJson(yield* answer(startImport(params.tenant_id, request)))
    }),
    list: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { items, nextCursor } = yield* answer(listImports(params.tenant_id, page))
      return { imports: items.map(contactImportToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return contactImportToJson(yield* answer((yield* ContactImports).get(params.tenant_id, params.import_id)))
    }),
    undo: Effect.fnUntraced(function* ({ params }) {
      return contactImportToJson(yield* answer(undoImport(params.tenant_id, params.import_id)))
    })
  })
)
