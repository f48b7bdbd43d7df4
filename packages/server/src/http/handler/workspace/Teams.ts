import { Api } from "@leadloom/api/internal/Api"
import { teamToJson } from "@leadloom/api/internal/workspace/Teams"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import {
  createTeam,
  deleteTeam,
  listTeams,
  type TeamFields,
  updateTeam
} from "@leadloom/core/internal/workflow/user/Teams"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of teams per page. */
const defaultPageSize = 50

const fieldsOf = ({
  member_ids: memberIds,
  name
}: {
  readonly name?: string
  readonly member_ids?: ReadonlyArray<string>
}): TeamFields => ({
  ...(name === undefined ? {} : { name }),
  ...(memberIds === undefined ? {} : { memberIds })
})

/** Endpoints for the teams of a tenant. */
export const layer = HttpApiBuilder.group(Api, "teams", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize } }) {
      const { items, nextCursor } = yield* answer(listTeams(params.tenant_id, { limit, cursor }))
      return { teams: items.map(teamToJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return teamToJson(yield* answer(createTeam(params.tenant_id, fieldsOf(payload))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const teams = yield* Teams
      return teamToJson(yield* answer(teams.get(params.tenant_id, params.team_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return teamToJson(yield* answer(updateTeam(params.tenant_id, params.team_id, fieldsOf(payload))))
    }),
    remove: ({ params }) => answer(deleteTeam(params.tenant_id, params.team_id))
  })
)
