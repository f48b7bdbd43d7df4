import { Api, version } from "@leadloom/api/internal/Api"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./error/errors.ts"

const health = Effect.flatMap(Tenants, ({ ping }) => Effect.as(answer(ping), { status: "ok" as const, version }))

/** Reports whether the server is healthy: its store must answer. */
export const layer = HttpApiBuilder.group(Api, "system", (handlers) => handlers.handleAll({ health: () => health }))
