import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Timestamp } from "../schema/Field.ts"

export const DoctorFinding = Schema.Struct({
  check: Schema.String.annotate({ description: "The name of the check, for example `database`" }),
  level: Schema.Literals(["ok", "warning", "problem"]).annotate({
    description: "`problem`: a function does not work, or will soon stop working"
  }),
  found: Schema.String.annotate({ description: "The observation in one line; contains no secret" }),
  advice: Schema.NullOr(Schema.String).annotate({ description: "The next step; null if none is needed" })
}).annotate({ identifier: "DoctorFinding", description: "A finding of `leadloom doctor`" })

export const DoctorReport = Schema.Struct({
  examined_at: Timestamp.annotate({ description: "The end of the examination" }),
  findings: Schema.Array(DoctorFinding).annotate({ description: "The findings, in the order of the checks" })
}).annotate({ identifier: "DoctorReport", description: "The result of all checks of a deployment" })

export const QueueState = Schema.Struct({
  queue: Schema.Literals(["signals", "sends", "jobs", "events", "webhook_calls"]).annotate({
    description:
      "`signals`: messages for the pipeline. `sends`: outgoing mails and texts. `jobs`: work at providers. `events`: events for webhooks. `webhook_calls`: calls of the action `call_webhook`"
  }),
  due: Schema.Int.annotate({ description: "The entries that could be processed now, counted up to 10,000" }),
  oldest_due_at: Schema.NullOr(Timestamp).annotate({
    description: "The time since which the oldest of them is due; null if none is due"
  }),
  failed: Schema.Int.annotate({
    description:
      "The entries that failed finally in the last 24 hours, counted up to 10,000. Of `jobs` and `webhook_calls`: those whose last attempt failed and that are retried"
  })
}).annotate({ identifier: "QueueState", description: "The state of a queue, over all tenants and servers" })

export const JobKindState = Schema.Struct({
  kind: Schema.String.annotate({ description: "The kind of the jobs, for example `fetch`" }),
  waiting: Schema.Int.annotate({ description: "The jobs that are not done, including those of a later time" }),
  failed: Schema.Int.annotate({ description: "Those of them whose last attempt failed; they are retried" }),
  oldest_created_at: Timestamp.annotate({ description: "The creation of the oldest of them" })
}).annotate({ identifier: "JobKindState", description: "The waiting jobs of one kind, over all tenants" })

export const QueueReport = Schema.Struct({
  queues: Schema.Array(QueueState).annotate({ description: "All queues" }),
  jobs: Schema.Array(JobKindState).annotate({
    description: "The queue `jobs` by kind, from at most 10,000 jobs; kinds without jobs are missing"
  })
}).annotate({ identifier: "QueueReport", description: "The state of all queues" })

export const ProviderState = Schema.Struct({
  service: Schema.Literals(["payments", "crm", "mail", "sms", "voice", "model"]).annotate({
    description: "The service of the provider"
  }),
  state: Schema.Literals(["not_configured", "unused", "answering", "failing", "paused"]).annotate({
    description:
      "`not_configured`: no provider is configured. `unused`: no request since the server started. `failing`: the last request failed. `paused`: it failed, and no request is sent before `paused_until`"
  }),
  consecutive_failures: Schema.Int.annotate({ description: "The failed requests since the last answer" }),
  last_answer_at: Schema.NullOr(Timestamp).annotate({
    description: "The last answer of the provider; null if it has not answered since the server started"
  }),
  last_failure_at: Schema.NullOr(Timestamp).annotate({ description: "The last failed request; null if none failed" }),
  last_failure: Schema.NullOr(Schema.String).annotate({
    description: "The reason of the last failure, without secrets; null if none failed"
  }),
  paused_until: Schema.NullOr(Timestamp).annotate({
    description: "The end of the pause that the provider or the circuit breaker requires; null without a pause"
  })
}).annotate({
  identifier: "ProviderState",
  description: "The requests of this server to one provider since the server started"
})

export const DeploymentGroup = HttpApiGroup.make("deployment")
  .add(
    HttpApiEndpoint.get("doctor", "/admin/doctor", { success: DoctorReport })
      .annotate(OpenApi.Summary, "Check the deployment as `leadloom doctor` does")
      .annotate(
        OpenApi.Description,
        "Checks the configuration, database, clock, disk, providers and server that answers, in a separate process and within 60 seconds. Concurrent requests get the same result. Changes nothing."
      )
      .annotate(Gate, gate("deployment.doctor", { limiter: "admin" })),
    HttpApiEndpoint.get("queues", "/admin/queues", { success: QueueReport })
      .annotate(OpenApi.Summary, "Show the depth, age and failures of the queues of all tenants")
      .annotate(
        OpenApi.Description,
        "Contains no data of tenants. Entries that are claimed or due later do not count as due."
      )
      .annotate(Gate, gate("deployment.queues", { limiter: "admin" })),
    HttpApiEndpoint.get("providers", "/admin/providers", {
      success: Schema.Struct({
        providers: Schema.Array(ProviderState).annotate({ description: "All services of providers" })
      }).annotate({ identifier: "ProviderReport", description: "The states of all providers" })
    })
      .annotate(OpenApi.Summary, "Show whether the external providers answer this server")
      .annotate(
        OpenApi.Description,
        "A request that a provider rejects counts as an answer. Each server of a deployment reports its own requests."
      )
      .annotate(Gate, gate("deployment.providers", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Deployment", description: "The state of the deployment, for its operator" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
