import { Principal } from "@leadloom/api/internal/Access"
import { consoleSessionToJson } from "@leadloom/api/internal/admin/ConsoleSessions"
import { Api } from "@leadloom/api/internal/Api"
import { sessionToJson } from "@leadloom/api/internal/workspace/Sessions"
import type { ConsoleSession } from "@leadloom/core/internal/domain/access/ConsoleSession"
import { readShortList, type ShortList } from "@leadloom/core/internal/domain/conversation/ReadPage"
import { ConsoleSessions } from "@leadloom/core/internal/port/repository/tenant/ConsoleSessions"
import {
  endConsoleSession,
  renewConsoleSession,
  revokeConsoleSession
} from "@leadloom/core/internal/workflow/access/ConsoleSessions"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for the sessions of the web console. */
export const layer = HttpApiBuilder.group(Api, "consoleSessions", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const now = yield* Clock.currentTimeMillis
      const list: ShortList<ConsoleSession> = {
        scope: { tenantId: params.tenant_id, list: "console sessions" },
        items: yield* answer((yield* ConsoleSessions).list(params.tenant_id, now)),
        keyOf: ({ sessionId, startedAt }) => [startedAt, sessionId]
      }
      const { items, nextCursor } = yield* answer(readShortList(list, query))
      return { console_sessions: items.map(consoleSessionToJson), next_cursor: nextCursor }
    }),
    revoke: ({ params }) => answer(revokeConsoleSession(params.tenant_id, params.session_id)),
    renew: Effect.fnUntraced(function* () {
      return sessionToJson(yield* answer(renewConsoleSession(yield* Principal)))
    }),
    end: Effect.fnUntraced(function* () {
      yield* answer(endConsoleSession(yield* Principal))
    })
  })
)
