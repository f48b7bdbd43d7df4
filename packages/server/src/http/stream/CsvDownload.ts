import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { log } from "../../LogEvents.ts"
import { csvLine } from "../json/Csv.ts"
import { disposition } from "./Download.ts"

/** Returns whether the client prefers CSV to JSON: `Accept` begins with `text/csv`. */
export const wantsCsv: Effect.Effect<boolean, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => /^text\/csv\b/iu.test(headers["accept"] ?? "")
)

/** Returns a response that streams rows as a CSV file. A failure after its start ends the response as incomplete. */
export const csvDownload = (
  tenantId: string,
  name: string,
  rows: Stream.Stream<ReadonlyArray<string>, StoreUnavailable>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    Stream.tapError(Stream.encodeText(Stream.map(rows, csvLine)), ({ _tag, reason }) =>
      log("export.incomplete", { tenant: tenantId, contact: null, detail: _tag, reason })
    ),
    {
      contentType: "text/csv; charset=utf-8; header=present",
      headers: {
        "content-disposition": disposition(`${name}-${tenantId}.csv`),
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
        vary: "accept"
      }
    }
  )
