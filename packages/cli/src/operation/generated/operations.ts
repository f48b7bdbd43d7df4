// Generated from the contract by `npm run generate`. Do not edit.
import type { Operation } from "../Operation.ts"

/** The operations whose commands are derived from the contract, in the order of the contract. */
export const operations: ReadonlyArray<Operation> = [
  {
    "id": "system.health",
    "command": "system health",
    "method": "GET",
    "path": "/health",
    "about": "check whether this server is ready",
    "example": "leadloom system health",
    "fields": [],
    "result": "json",
    "credential": "none"
  },
  {
    "id": "tenants.update",
    "command": "tenants update",
    "method": "PATCH",
    "path": "/api/v1/admin/tenants/{tenant_id}",
    "about": "change a tenant; the usage of the current month is kept",
    "example": "leadloom tenants update demo --plan scale",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the display name of the business; 1 to 200 characters"
      },
      {
        "name": "plan",
        "place": "body",
        "type": "text",
        "choices": [
          "trial",
          "starter",
          "growth",
          "scale"
        ],
        "about": "the plan whose limits apply from now on"
      },
      {
        "name": "domain",
        "place": "body",
        "type": "text",
        "about": "the domain of the tenant's own addresses"
      },
      {
        "name": "hipaa",
        "place": "body",
        "type": "boolean",
        "about": "true: the tenant cannot use email from now on"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "about": "an IANA time zone such as Europe/Berlin. A change saves a new version of the configuration"
      },
      {
        "name": "locale",
        "place": "body",
        "type": "text",
        "about": "a BCP 47 tag such as de-DE"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "tenants.restore",
    "command": "tenants restore",
    "method": "POST",
    "path": "/api/v1/admin/tenants/{tenant_id}/restore",
    "about": "restore an archived tenant. Its credentials work again",
    "example": "leadloom tenants restore demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "credential.get",
    "command": "sessions whoami",
    "method": "GET",
    "path": "/api/v1/credential",
    "about": "get the kind, role, scopes and tenants of the own credential",
    "example": "leadloom sessions whoami",
    "fields": [],
    "result": "json",
    "credential": "integration"
  },
  {
    "id": "consoleSessions.list",
    "command": "sessions list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/console-sessions",
    "about": "list the valid sessions of the web console, oldest first",
    "example": "leadloom sessions list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: all entries on one page"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "console_sessions"
    ]
  },
  {
    "id": "consoleSessions.revoke",
    "command": "sessions revoke",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/console-sessions/{session_id}",
    "about": "revoke a session of the web console immediately",
    "example": "leadloom sessions revoke b2c6d687dae7acc48b8d8d1d6b846256 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "session_id",
        "place": "path",
        "type": "text",
        "about": "the id of the session",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "consoleSessions.renew",
    "command": "sessions renew",
    "method": "POST",
    "path": "/api/v1/console-sessions/renew",
    "about": "create the next token of the own console session",
    "example": "leadloom sessions renew",
    "fields": [],
    "result": "json",
    "credential": "integration",
    "idempotent": true
  },
  {
    "id": "consoleSessions.end",
    "command": "sessions end",
    "method": "DELETE",
    "path": "/api/v1/console-sessions/current",
    "about": "end the own console session",
    "example": "leadloom sessions end",
    "fields": [],
    "result": "json",
    "credential": "integration"
  },
  {
    "id": "config.update",
    "command": "config update",
    "method": "PATCH",
    "path": "/api/v1/config/{tenant_id}",
    "about": "change parts of the configuration with a JSON merge patch (RFC 7396)",
    "example": "leadloom config update --tenant demo \\\n    --data '{\"reply_wait_seconds\":0,\"takeover_hours\":12}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "config.version",
    "command": "config version",
    "method": "GET",
    "path": "/api/v1/config/{tenant_id}/versions/{version}",
    "about": "read an earlier version of the configuration",
    "example": "leadloom config version 2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "version",
        "place": "path",
        "type": "number",
        "range": [
          1,
          2147483648
        ],
        "about": "the number of the version, from 1",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "rules.catalogue",
    "command": "rules catalogue",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/rules/catalogue",
    "about": "list the facts, operators, triggers and actions of rules with their types and examples",
    "example": "leadloom rules catalogue --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "rules.list",
    "command": "rules list",
    "method": "GET",
    "path": "/api/v1/config/{tenant_id}/rules",
    "about": "list the rules in the order in which they run",
    "example": "leadloom rules list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "rules.create",
    "command": "rules create",
    "method": "POST",
    "path": "/api/v1/config/{tenant_id}/rules",
    "about": "create a rule",
    "example": "leadloom rules create --tenant demo --id insurance \\\n    --name 'Insurance cases go to Kim' --priority 900 --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      },
      {
        "name": "id",
        "place": "body",
        "type": "text",
        "about": "a name that is unique within the tenant; at most 64 characters"
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "a name for people, shown in runs and reports"
      },
      {
        "name": "priority",
        "place": "body",
        "type": "number",
        "about": "lower numbers run first. Rules with equal priority run in the order of the list"
      },
      {
        "name": "enabled",
        "place": "body",
        "type": "boolean",
        "about": "whether the rule is evaluated. Default: true"
      }
    ],
    "body": {
      "more": [
        "trigger",
        "when",
        "actions"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true,
    "versioned": true
  },
  {
    "id": "rules.get",
    "command": "rules get",
    "method": "GET",
    "path": "/api/v1/config/{tenant_id}/rules/{rule_id}",
    "about": "read a rule",
    "example": "leadloom rules get insurance --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "rules.update",
    "command": "rules update",
    "method": "PATCH",
    "path": "/api/v1/config/{tenant_id}/rules/{rule_id}",
    "about": "change a rule",
    "example": "leadloom rules update insurance --tenant demo --priority 5",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "a name for people, shown in runs and reports"
      },
      {
        "name": "priority",
        "place": "body",
        "type": "number",
        "about": "lower numbers run first. Rules with equal priority run in the order of the list"
      },
      {
        "name": "enabled",
        "place": "body",
        "type": "boolean",
        "about": "whether the rule is evaluated. Default: true"
      }
    ],
    "body": {
      "more": [
        "trigger",
        "when",
        "actions"
      ]
    },
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "rules.delete",
    "command": "rules delete",
    "method": "DELETE",
    "path": "/api/v1/config/{tenant_id}/rules/{rule_id}",
    "about": "delete a rule",
    "example": "leadloom rules delete insurance --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      }
    ],
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "rules.enable",
    "command": "rules enable",
    "method": "POST",
    "path": "/api/v1/config/{tenant_id}/rules/{rule_id}/enable",
    "about": "enable a rule",
    "example": "leadloom rules enable insurance --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true,
    "versioned": true
  },
  {
    "id": "rules.disable",
    "command": "rules disable",
    "method": "POST",
    "path": "/api/v1/config/{tenant_id}/rules/{rule_id}/disable",
    "about": "disable a rule",
    "example": "leadloom rules disable insurance --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true,
    "versioned": true
  },
  {
    "id": "rules.reorder",
    "command": "rules reorder",
    "method": "PUT",
    "path": "/api/v1/config/{tenant_id}/rule-order",
    "about": "order the rules",
    "example": "leadloom rules reorder --tenant demo --rule-ids junk \\\n    --rule-ids newsletter --rule-ids emergency --rule-ids hot \\\n    --rule-ids booking --rule-ids quote --rule-ids quiet_quote \\\n    --rule-ids book_visit --rule-ids insurance",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "comment",
        "place": "query",
        "type": "text",
        "about": "why the change is made, for the history; at most 500 characters"
      },
      {
        "name": "rule_ids",
        "place": "body",
        "type": "list",
        "about": "the ids of all rules in the wanted order, including disabled rules"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "rules.test",
    "command": "rules test",
    "method": "POST",
    "path": "/api/v1/config/{tenant_id}/rule-tests",
    "about": "test one rule on one message or contact; nothing is stored or sent",
    "example": "leadloom rules test --tenant demo --rule-id insurance \\\n    --message 'Does my insurance pay for the roof?' \\\n    --data '{\"contact\":{\"email\":\"ruth.alvarez@example.net\"}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "body",
        "type": "text",
        "about": "the id of a stored rule"
      },
      {
        "name": "message_id",
        "place": "body",
        "type": "text",
        "about": "a stored message: its id, or its signal_id. Its run must have ended"
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of a message that is not stored, instead of message_id"
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "a contact (con_…), for a rule with another trigger than message_received, instead of a message. The condition is evaluated for the contact as it is now; the test does not check whether the event of the trigger has happened"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "a label of the sending application. Default: automation"
      }
    ],
    "body": {
      "more": [
        "rule",
        "contact",
        "metadata",
        "classification"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "guardrails.active",
    "command": "guardrails active",
    "method": "GET",
    "path": "/api/v1/guardrails/{tenant_id}/active",
    "about": "list the enabled guardrails in the order of their evaluation",
    "example": "leadloom guardrails active --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "guardrails.audit",
    "command": "guardrails audit",
    "method": "GET",
    "path": "/api/v1/guardrails/{tenant_id}/audit",
    "about": "list the guardrail results of replies, newest first",
    "example": "leadloom guardrails audit --tenant demo --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "guardrail_id",
        "place": "query",
        "type": "text",
        "about": "only evaluations of this guardrail"
      },
      {
        "name": "outcome",
        "place": "query",
        "type": "text",
        "choices": [
          "allow",
          "require_approval",
          "block"
        ],
        "about": "only evaluations with this outcome"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only replies to this contact"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 50"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "evaluations"
    ]
  },
  {
    "id": "guardrails.stats",
    "command": "guardrails stats",
    "method": "GET",
    "path": "/api/v1/guardrails/{tenant_id}/stats",
    "about": "count the outcomes of each guardrail",
    "example": "leadloom guardrails stats --tenant demo --days 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "days",
        "place": "query",
        "type": "number",
        "range": [
          1,
          366
        ],
        "about": "the number of days up to the current day, in UTC. Default: 30"
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "guardrails.export",
    "command": "guardrails export",
    "method": "GET",
    "path": "/api/v1/guardrails/{tenant_id}/export",
    "about": "export the audit as a JSON array or as CSV that is safe to open in a spreadsheet",
    "example": "leadloom guardrails export --tenant demo --format csv \\\n    --out evaluations.csv",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "guardrail_id",
        "place": "query",
        "type": "text",
        "about": "only evaluations of this guardrail"
      },
      {
        "name": "outcome",
        "place": "query",
        "type": "text",
        "choices": [
          "allow",
          "require_approval",
          "block"
        ],
        "about": "only evaluations with this outcome"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only replies to this contact"
      },
      {
        "name": "format",
        "place": "query",
        "type": "text",
        "choices": [
          "json",
          "csv"
        ],
        "about": "default: json"
      }
    ],
    "result": "file",
    "credential": "operator"
  },
  {
    "id": "guardrails.update",
    "command": "guardrails update",
    "method": "PATCH",
    "path": "/api/v1/guardrails/{tenant_id}",
    "about": "change the guardrails, which creates a new version of the configuration",
    "example": "leadloom guardrails update --tenant demo \\\n    --data '{\"upsert\":[{\"id\":\"no-prices\",\"kind\":\"no_prices\"}]}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "remove",
        "place": "body",
        "type": "list",
        "about": "the ids of guardrails to remove"
      },
      {
        "name": "enable",
        "place": "body",
        "type": "list",
        "about": "the ids of guardrails to enable"
      },
      {
        "name": "disable",
        "place": "body",
        "type": "list",
        "about": "the ids of guardrails to disable; they stay in the list"
      }
    ],
    "body": {
      "more": [
        "guardrails",
        "upsert"
      ]
    },
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "events.send",
    "command": "events send",
    "method": "POST",
    "path": "/api/v1/events/{tenant_id}/{source_id}",
    "about": "send a custom event. With mode=sync, the server only evaluates the routing rules and stores nothing",
    "example": "leadloom events send website --tenant demo --event-type quote_requested \\\n    --timestamp 2026-03-02T18:05:00.000Z --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "source_id",
        "place": "path",
        "type": "text",
        "about": "the source whose key authenticates the request",
        "argument": true,
        "required": true
      },
      {
        "name": "mode",
        "place": "query",
        "type": "text",
        "choices": [
          "sync"
        ],
        "about": "sync: evaluate the routing rules and store nothing. Default: store the event and process it in the background"
      },
      {
        "name": "event_type",
        "place": "body",
        "type": "text",
        "about": "the kind of the event. It is the text of the message if content.body is absent"
      },
      {
        "name": "timestamp",
        "place": "body",
        "type": "text",
        "about": "the time of the event (ISO 8601). Default and null: now"
      }
    ],
    "body": {
      "more": [
        "entity",
        "content",
        "context"
      ]
    },
    "result": "json",
    "credential": "integration",
    "idempotent": true,
    "keyless": "natural-key"
  },
  {
    "id": "pipeline.run",
    "command": "pipeline run",
    "method": "POST",
    "path": "/api/v1/webhook/automation/{tenant_id}",
    "about": "store a message and run the whole pipeline on it",
    "example": "leadloom pipeline run --tenant demo \\\n    --message 'A storm tore off shingles and water comes through the ceil…' \\\n    --channel webhook --source storm-hotline --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of the message; not empty"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "a label of the sending application. Default: automation"
      }
    ],
    "body": {
      "more": [
        "contact",
        "metadata"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "pipeline.listRuns",
    "command": "runs list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/runs",
    "about": "list runs, newest message first",
    "example": "leadloom runs list --tenant demo --limit 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only runs for messages of this contact"
      },
      {
        "name": "lead_id",
        "place": "query",
        "type": "text",
        "about": "the lead of the run"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "runs"
    ]
  },
  {
    "id": "pipeline.listTriggerRuns",
    "command": "runs triggers",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/trigger-runs",
    "about": "list the runs of rules with another trigger than messages, newest first",
    "example": "leadloom runs triggers --tenant demo --limit 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "query",
        "type": "text",
        "about": "only runs of this rule"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only runs for this contact"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "trigger_runs"
    ]
  },
  {
    "id": "pipeline.startRule",
    "command": "rules start",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/rules/{rule_id}/runs",
    "about": "start a rule with the trigger manual for a contact",
    "example": "leadloom rules start book_visit --tenant demo \\\n    --contact-id con_06bxrsk0bnq054a0pr285nk6sj",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "path",
        "type": "text",
        "about": "the id of the rule",
        "argument": true,
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact for which the rule runs"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "batches.create",
    "command": "batches create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/batch",
    "about": "submit many messages at once; workers process them in the background",
    "example": "leadloom batches create --tenant demo --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "body": {
      "more": [
        "items"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "batches.list",
    "command": "batches list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/batches",
    "about": "list batches, newest first",
    "example": "leadloom batches list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          50
        ],
        "about": "the entries per page, 1 to 50. Default: 20"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "batches"
    ]
  },
  {
    "id": "batches.get",
    "command": "batches get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipeline/batch/{batch_id}",
    "about": "show the progress of a batch and the results of its requests",
    "example": "leadloom batches get bat_06bxrmmps7959czqdn6dspm7wn --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "batch_id",
        "place": "path",
        "type": "text",
        "about": "batch id (bat_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "items"
    ]
  },
  {
    "id": "actions.scoreContact",
    "command": "actions score-contact",
    "method": "POST",
    "path": "/api/v1/actions/automation/{tenant_id}/score-contact",
    "about": "score a message and its contact",
    "example": "leadloom actions score-contact --tenant demo \\\n    --message 'A storm tore off shingles and water comes through the ceil…' \\\n    --channel webhook --source storm-hotline --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of the message; not empty"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "a label of the sending application. Default: automation"
      }
    ],
    "body": {
      "more": [
        "contact",
        "metadata"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "actions.classifyConversation",
    "command": "actions classify-conversation",
    "method": "POST",
    "path": "/api/v1/actions/automation/{tenant_id}/classify-conversation",
    "about": "classify a message with the configured language model",
    "example": "leadloom actions classify-conversation --tenant demo \\\n    --message 'A storm tore off shingles and water comes through the ceil…' \\\n    --channel webhook --source storm-hotline --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of the message; not empty"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "a label of the sending application. Default: automation"
      }
    ],
    "body": {
      "more": [
        "contact",
        "metadata"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "actions.generateReply",
    "command": "actions generate-reply",
    "method": "POST",
    "path": "/api/v1/actions/automation/{tenant_id}/generate-reply",
    "about": "generate a reply with the configured language model",
    "example": "leadloom actions generate-reply --tenant demo \\\n    --message 'A storm tore off shingles and water comes through the ceil…' \\\n    --channel webhook --source storm-hotline --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of the message; not empty"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "a label of the sending application. Default: automation"
      }
    ],
    "body": {
      "more": [
        "contact",
        "metadata"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "usage.get",
    "command": "usage get",
    "method": "GET",
    "path": "/api/v1/usage/{tenant_id}",
    "about": "show how much of its plan a tenant has used in a month",
    "example": "leadloom usage get --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "month",
        "place": "query",
        "type": "text",
        "about": "the month in UTC, as YYYY-MM; default: the current month"
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "usage.set",
    "command": "usage set",
    "method": "PUT",
    "path": "/api/v1/usage/{tenant_id}",
    "about": "set what a tenant has used in a month, and caps in place of its plan's",
    "example": "leadloom usage set --tenant demo --data '{\"actions\":{\"cap\":5000}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "month",
        "place": "query",
        "type": "text",
        "about": "the month in UTC, as YYYY-MM; default: the current month"
      }
    ],
    "body": {
      "more": [
        "actions",
        "ai_calls",
        "ai_tokens"
      ]
    },
    "result": "json",
    "credential": "integration"
  },
  {
    "id": "billing.checkout",
    "command": "billing checkout",
    "method": "POST",
    "path": "/api/v1/billing/checkout",
    "about": "create a payment page for a plan or for credits",
    "example": "leadloom billing checkout --tenant demo --plan growth",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      },
      {
        "name": "plan",
        "place": "body",
        "type": "text",
        "choices": [
          "starter",
          "growth",
          "scale"
        ],
        "about": "a plan that costs money"
      },
      {
        "name": "credits",
        "place": "body",
        "type": "number",
        "range": [
          1,
          100000
        ],
        "about": "the number of credits to buy, 1 to 100,000"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "billing.portal",
    "command": "billing portal",
    "method": "POST",
    "path": "/api/v1/billing/portal",
    "about": "get the URL of the page on which the tenant manages invoices, card and cancellation; the URL is valid for a few minutes",
    "example": "leadloom billing portal --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "billing.balance",
    "command": "billing credits balance",
    "method": "GET",
    "path": "/api/v1/billing/credits/balance",
    "about": "show the credit balance of a tenant",
    "example": "leadloom billing credits balance --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "contacts.list",
    "command": "contacts list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts",
    "about": "list active or archived contacts, newest first",
    "example": "leadloom contacts list --tenant demo --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "archived",
        "place": "query",
        "type": "boolean",
        "about": "true: only archived contacts"
      },
      {
        "name": "ids",
        "place": "query",
        "type": "text",
        "about": "only the contacts with these ids, separated by commas, on one page; at most 100. Archived and merged contacts are included, and the other parameters have no effect"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "contacts"
    ]
  },
  {
    "id": "contacts.create",
    "command": "contacts create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts",
    "about": "create a contact",
    "example": "leadloom contacts create --tenant demo --name 'Priya Nair' \\\n    --phone +12025550177 --company 'Nair Dental'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the person or business; at most 320 characters"
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "the address for messages, as first given"
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "in E.164 if the number is valid, otherwise as given"
      },
      {
        "name": "company",
        "place": "body",
        "type": "text",
        "about": "the employer or business of the contact"
      },
      {
        "name": "notes",
        "place": "body",
        "type": "text",
        "about": "free text for agents; at most 20,000 characters. The contact never sees it"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "replaces all tags"
      },
      {
        "name": "company_id",
        "place": "body",
        "type": "text",
        "about": "the company of the contact. Null removes the contact from its company, and no company is set automatically afterwards. A new contact gets the company of its email domain"
      }
    ],
    "body": {
      "more": [
        "attributes",
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contacts.get",
    "command": "contacts get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}",
    "about": "read a contact",
    "example": "leadloom contacts get con_06bxrsk0bnq054a0pr285nk6sj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contacts.update",
    "command": "contacts update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}",
    "about": "change the given fields of a contact; tags and attributes are replaced as a whole",
    "example": "leadloom contacts update con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --notes 'Prefers calls in the afternoon.' --tags roof-repair \\\n    --data '{\"attributes\":{\"roof_area_m2\":85,\"insured\":true}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the person or business; at most 320 characters"
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "the address for messages, as first given"
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "in E.164 if the number is valid, otherwise as given"
      },
      {
        "name": "company",
        "place": "body",
        "type": "text",
        "about": "the employer or business of the contact"
      },
      {
        "name": "notes",
        "place": "body",
        "type": "text",
        "about": "free text for agents; at most 20,000 characters. The contact never sees it"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "replaces all tags"
      },
      {
        "name": "company_id",
        "place": "body",
        "type": "text",
        "about": "the company of the contact. Null removes the contact from its company, and no company is set automatically afterwards. A new contact gets the company of its email domain"
      }
    ],
    "body": {
      "more": [
        "attributes",
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contacts.archive",
    "command": "contacts archive",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}",
    "about": "archive a contact (soft delete)",
    "example": "leadloom contacts archive con_06bxrfthe7qzbpwn5nrdaegns4 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contacts.restore",
    "command": "contacts restore",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/restore",
    "about": "restore a contact from the archive",
    "example": "leadloom contacts restore con_06bxrfthe7qzbpwn5nrdaegns4 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contacts.resolve",
    "command": "contacts resolve",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/resolve",
    "about": "find the contact with an email, a phone number or an external id; 404 if there is none",
    "example": "leadloom contacts resolve --tenant demo --phone '(202) 555-0143'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "an email address; upper and lower case are equal"
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "in any notation. A number without a country code is read as a number of the tenant's country"
      },
      {
        "name": "external_id",
        "place": "body",
        "type": "text",
        "about": "the id of the contact in the system that source names"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "the system that assigned the external_id; required with external_id"
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of a newly created contact"
      },
      {
        "name": "create",
        "place": "body",
        "type": "boolean",
        "about": "create a contact if none is found"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contactViews.detail",
    "command": "contacts detail",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/detail",
    "about": "show a contact with its score, source, identities, open work and latest messages",
    "example": "leadloom contacts detail con_06bxrsk0bnq054a0pr285nk6sj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contactViews.timeline",
    "command": "contacts timeline",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/timeline",
    "about": "list the messages, tasks, notes and other events of a contact, newest first",
    "example": "leadloom contacts timeline con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --limit 3",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "entries"
    ]
  },
  {
    "id": "contactViews.enriched",
    "command": "contacts enriched",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/enriched",
    "about": "list contacts with their current state, latest activity first",
    "example": "leadloom contacts enriched --tenant demo --tier hot --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "tier",
        "place": "body",
        "type": "text",
        "choices": [
          "hot",
          "warm",
          "cold"
        ],
        "about": "only contacts whose lead has this tier"
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "choices": [
          "open",
          "engaged",
          "qualified",
          "won",
          "lost",
          "archived"
        ],
        "about": "the state of the lead to which the newest message with a lead belongs"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of the newest message"
      },
      {
        "name": "tag",
        "place": "body",
        "type": "text",
        "about": "only contacts with this tag"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "only contacts with all these tags; at most 10"
      },
      {
        "name": "company_id",
        "place": "body",
        "type": "text",
        "about": "only contacts of this company"
      },
      {
        "name": "consent",
        "place": "body",
        "type": "text",
        "choices": [
          "opted_in",
          "opted_out"
        ],
        "about": "opted_out: contacts of whom an address or number has opted out. opted_in: contacts with a recorded consent and without an opt-out"
      },
      {
        "name": "last_activity_after",
        "place": "body",
        "type": "text",
        "about": "only contacts with activity at or after this time (ISO 8601)"
      },
      {
        "name": "last_activity_before",
        "place": "body",
        "type": "text",
        "about": "only contacts with activity before this time (ISO 8601)"
      },
      {
        "name": "created_after",
        "place": "body",
        "type": "text",
        "about": "only contacts that were created after this time (ISO 8601)"
      },
      {
        "name": "created_before",
        "place": "body",
        "type": "text",
        "about": "only contacts that were created before this time (ISO 8601)"
      },
      {
        "name": "has_email",
        "place": "body",
        "type": "boolean",
        "about": "true: only contacts with an email address; false: only contacts without one"
      },
      {
        "name": "has_phone",
        "place": "body",
        "type": "boolean",
        "about": "true: only contacts with a phone number; false: only contacts without one"
      },
      {
        "name": "archived",
        "place": "body",
        "type": "boolean",
        "about": "true: only archived contacts"
      },
      {
        "name": "sort",
        "place": "body",
        "type": "text",
        "choices": [
          "last_activity",
          "created",
          "name"
        ],
        "about": "the order: latest activity first, newest first, or by name. Default: last_activity, which is the fastest with filters"
      },
      {
        "name": "cursor",
        "place": "body",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "body",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "body": {
      "more": [
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "items": [
      "contacts"
    ],
    "idempotent": true,
    "keyless": "read-only"
  },
  {
    "id": "contactMerges.merge",
    "command": "contacts merge",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/merge",
    "about": "move all data of the duplicate contact to the primary contact",
    "example": "leadloom contacts merge --tenant demo \\\n    --primary-contact-id con_06bxrsk0bnq054a0pr285nk6sj \\\n    --duplicate-contact-id con_06bxrfthe7qzbpwn5nrdaegns4",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "primary_contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact that remains and receives all data of the other contact"
      },
      {
        "name": "duplicate_contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact whose data moves to the primary contact"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contactMerges.undo",
    "command": "contacts undo-merge",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/merges/{merge_id}/undo",
    "about": "undo a merge. If several contacts were merged into one, the latest merge must be undone first",
    "example": "leadloom contacts undo-merge mrg_06bxra74bg7szfgh0geb0qfr1y --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "merge_id",
        "place": "path",
        "type": "text",
        "about": "merge id (mrg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contactMerges.suggestions",
    "command": "contacts merge-suggestions",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/merge-suggestions",
    "about": "list pairs of contacts that are probably the same person, newest first",
    "example": "leadloom contacts merge-suggestions --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "suggestions"
    ]
  },
  {
    "id": "contactMerges.dismiss",
    "command": "contacts dismiss-suggestion",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/merge-suggestions/dismiss",
    "about": "dismiss a suggestion, because the two contacts are different people. The pair is not suggested again",
    "example": "leadloom contacts dismiss-suggestion --tenant demo \\\n    --primary-contact-id con_06bxrsk0bnq054a0pr285nk6sj \\\n    --duplicate-contact-id con_06bxrfthe7qzbpwn5nrdaegns4",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "primary_contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact that remains and receives all data of the other contact"
      },
      {
        "name": "duplicate_contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact whose data moves to the primary contact"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contactIdentities.list",
    "command": "contact-identities list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/identities",
    "about": "list the identities of a contact, oldest first",
    "example": "leadloom contact-identities list con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contactIdentities.add",
    "command": "contact-identities add",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/identities",
    "about": "add an email address or phone number to a contact",
    "example": "leadloom contact-identities add con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    --tenant demo --kind email --value priya@nair-dental.example \\\n    --label work",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "kind",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "phone"
        ],
        "about": "the kind of the identity"
      },
      {
        "name": "value",
        "place": "body",
        "type": "text",
        "about": "the email address, or a phone number with its country code or of the tenant's country"
      },
      {
        "name": "label",
        "place": "body",
        "type": "text",
        "about": "a name such as work; at most 64 characters; null removes it"
      },
      {
        "name": "primary",
        "place": "body",
        "type": "boolean",
        "about": "true makes this identity the contact's email or phone"
      },
      {
        "name": "verified",
        "place": "body",
        "type": "boolean",
        "about": "whether a person or an integration confirmed that the identity belongs to the contact"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "contactIdentities.update",
    "command": "contact-identities update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/identities/{identity_id}",
    "about": "change an identity of a contact",
    "example": "leadloom contact-identities update con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    idn_06bxrg6h1n21wwjgfge5jp8x7y --tenant demo --label practice \\\n    --verified",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "identity_id",
        "place": "path",
        "type": "text",
        "about": "identity id (idn_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "label",
        "place": "body",
        "type": "text",
        "about": "a name such as work; at most 64 characters; null removes it"
      },
      {
        "name": "primary",
        "place": "body",
        "type": "boolean",
        "about": "true makes this identity the contact's email or phone"
      },
      {
        "name": "verified",
        "place": "body",
        "type": "boolean",
        "about": "whether a person or an integration confirmed that the identity belongs to the contact"
      }
    ],
    "body": {
      "more": [
        "undeliverable"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contactIdentities.remove",
    "command": "contact-identities remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/identities/{identity_id}",
    "about": "remove an identity from a contact",
    "example": "leadloom contact-identities remove con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    idn_06bxrg6h1n21wwjgfge5jp8x7y --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "identity_id",
        "place": "path",
        "type": "text",
        "about": "identity id (idn_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contactConsent.get",
    "command": "contact-consent get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/consent",
    "about": "read the consents and opt-outs of a contact",
    "example": "leadloom contact-consent get con_06bxrfthe7qzbpwn5nrdaegns4 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "contactConsent.record",
    "command": "contact-consent record",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/consent",
    "about": "record a consent or an opt-out of a contact",
    "example": "leadloom contact-consent record con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    --tenant demo --identity-id idn_06bxrg6h1n21wwjgfge5jp8x7y \\\n    --status opted_in --source form --proof 'Newsletter form of 2 March'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "identity_id",
        "place": "body",
        "type": "text",
        "about": "the identity to which the consent or opt-out applies"
      },
      {
        "name": "status",
        "place": "body",
        "type": "text",
        "choices": [
          "opted_in",
          "opted_out"
        ],
        "about": "opted_in records a consent; opted_out records an opt-out"
      },
      {
        "name": "purpose",
        "place": "body",
        "type": "text",
        "choices": [
          "messages",
          "tracking"
        ],
        "about": "messages: messages and calls. tracking: the recording of opened links, for an email address. Default: messages"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "choices": [
          "person",
          "form",
          "call",
          "writing"
        ],
        "about": "how the contact declared it: to a person, in a form, in a call or in writing. Default: person"
      },
      {
        "name": "proof",
        "place": "body",
        "type": "text",
        "about": "for example the words of the contact, or the name of the form; required for a consent; at most 2000 characters"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "fields.list",
    "command": "fields list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/fields",
    "about": "list the custom fields of a tenant",
    "example": "leadloom fields list --tenant demo --entity contact",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "entity",
        "place": "query",
        "type": "text",
        "choices": [
          "contact",
          "lead",
          "company"
        ],
        "about": "only fields of these records"
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "fields.create",
    "command": "fields create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/fields",
    "about": "create a custom field",
    "example": "leadloom fields create --tenant demo --key roof_type \\\n    --label 'Type of roof' --type select --options flat --options gable",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "key",
        "place": "body",
        "type": "text",
        "about": "the name of the field in custom_fields: lower-case letters, digits and _, at most 63 characters. It never changes"
      },
      {
        "name": "label",
        "place": "body",
        "type": "text",
        "about": "the name that agents see; at most 100 characters"
      },
      {
        "name": "type",
        "place": "body",
        "type": "text",
        "choices": [
          "text",
          "number",
          "date",
          "boolean",
          "select",
          "multi_select",
          "url",
          "user"
        ],
        "about": "the type of the values. date: YYYY-MM-DD. url: http or https. user: the id of a user. It never changes"
      },
      {
        "name": "entity",
        "place": "body",
        "type": "text",
        "choices": [
          "contact",
          "lead",
          "company"
        ],
        "about": "the records that have this field. Default: contact"
      },
      {
        "name": "options",
        "place": "body",
        "type": "list",
        "about": "the permitted values of a select or multi_select field; otherwise empty"
      },
      {
        "name": "required",
        "place": "body",
        "type": "boolean",
        "about": "whether a write of custom fields must leave this field with a value. Default: false"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "fields.get",
    "command": "fields get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/fields/{field_id}",
    "about": "read a custom field",
    "example": "leadloom fields get fld_06bxrfdp75jrfdx3a7r5nz9ksg --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "field_id",
        "place": "path",
        "type": "text",
        "about": "field id (fld_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "fields.update",
    "command": "fields update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/fields/{field_id}",
    "about": "change the label, the options or the requirement of a custom field",
    "example": "leadloom fields update fld_06bxrfdp75jrfdx3a7r5nz9ksg --tenant demo \\\n    --options flat --options gable --options hip",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "field_id",
        "place": "path",
        "type": "text",
        "about": "field id (fld_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "label",
        "place": "body",
        "type": "text",
        "about": "the name that agents see; at most 100 characters"
      },
      {
        "name": "options",
        "place": "body",
        "type": "list",
        "about": "the permitted values of a select or multi_select field; otherwise empty"
      },
      {
        "name": "required",
        "place": "body",
        "type": "boolean",
        "about": "whether a write of custom fields must leave this field with a value"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "fields.remove",
    "command": "fields remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/fields/{field_id}",
    "about": "delete a custom field",
    "example": "leadloom fields remove fld_06bxrfdp75jrfdx3a7r5nz9ksg --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "field_id",
        "place": "path",
        "type": "text",
        "about": "field id (fld_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "companies.list",
    "command": "companies list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/companies",
    "about": "list companies by name",
    "example": "leadloom companies list --tenant demo --query nair",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "query",
        "place": "query",
        "type": "text",
        "about": "only companies whose name starts with this text; the case of A to Z is ignored"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "companies"
    ]
  },
  {
    "id": "companies.create",
    "command": "companies create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/companies",
    "about": "create a company",
    "example": "leadloom companies create --tenant demo --name 'Nair Dental' \\\n    --domain nair-dental.example --notes 'Two practices'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the company; at most 200 characters"
      },
      {
        "name": "domain",
        "place": "body",
        "type": "text",
        "about": "the domain of its email addresses. A contact is linked to the company when it gets such an address; a job links existing contacts, usually within seconds. A contact that has a company, or that a person removed from one, stays as it is. Public mail hosts are rejected (400)"
      },
      {
        "name": "notes",
        "place": "body",
        "type": "text",
        "about": "free text for agents; at most 20,000 characters"
      }
    ],
    "body": {
      "more": [
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "companies.get",
    "command": "companies get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/companies/{company_id}",
    "about": "read a company",
    "example": "leadloom companies get cmp_06bxrsq8pgarf9bvjmzegv98e9 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "company id (cmp_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "companies.update",
    "command": "companies update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/companies/{company_id}",
    "about": "change the given properties of a company",
    "example": "leadloom companies update cmp_06bxrsq8pgarf9bvjmzegv98e9 --tenant demo \\\n    --notes 'Three practices'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "company id (cmp_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the company; at most 200 characters"
      },
      {
        "name": "domain",
        "place": "body",
        "type": "text",
        "about": "the domain of its email addresses. A contact is linked to the company when it gets such an address; a job links existing contacts, usually within seconds. A contact that has a company, or that a person removed from one, stays as it is. Public mail hosts are rejected (400)"
      },
      {
        "name": "notes",
        "place": "body",
        "type": "text",
        "about": "free text for agents; at most 20,000 characters"
      }
    ],
    "body": {
      "more": [
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "companies.remove",
    "command": "companies remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/companies/{company_id}",
    "about": "delete a company without contacts",
    "example": "leadloom companies remove cmp_06bxrsq8pgarf9bvjmzegv98e9 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "company id (cmp_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "companies.contacts",
    "command": "companies contacts",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/companies/{company_id}/contacts",
    "about": "list the contacts of a company, latest activity first",
    "example": "leadloom companies contacts cmp_06bxrsq8pgarf9bvjmzegv98e9 --tenant demo \\\n    --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "company id (cmp_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "contacts"
    ]
  },
  {
    "id": "segments.list",
    "command": "segments list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/segments",
    "about": "list the segments of a tenant, oldest first",
    "example": "leadloom segments list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "segments.create",
    "command": "segments create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/segments",
    "about": "create a segment",
    "example": "leadloom segments create --tenant demo --name 'Roof repairs' \\\n    --data '{\"filters\":{\"tag\":\"roof-repair\",\"has_phone\":true}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name that agents see; at most 100 characters"
      }
    ],
    "body": {
      "more": [
        "filters"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "segments.get",
    "command": "segments get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/segments/{segment_id}",
    "about": "read a segment with the number of its members",
    "example": "leadloom segments get seg_06bxr7aeazzkgy06w8hpanvw98 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "segment_id",
        "place": "path",
        "type": "text",
        "about": "segment id (seg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "segments.update",
    "command": "segments update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/segments/{segment_id}",
    "about": "change the name or the filters of a segment",
    "example": "leadloom segments update seg_06bxr7aeazzkgy06w8hpanvw98 --tenant demo \\\n    --name 'Repairs of roofs'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "segment_id",
        "place": "path",
        "type": "text",
        "about": "segment id (seg_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name that agents see; at most 100 characters"
      }
    ],
    "body": {
      "more": [
        "filters"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "segments.remove",
    "command": "segments remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/segments/{segment_id}",
    "about": "delete a segment",
    "example": "leadloom segments remove seg_06bxr7aeazzkgy06w8hpanvw98 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "segment_id",
        "place": "path",
        "type": "text",
        "about": "segment id (seg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "segments.contacts",
    "command": "segments contacts",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/segments/{segment_id}/contacts",
    "about": "list the members of a segment",
    "example": "leadloom segments contacts seg_06bxr7aeazzkgy06w8hpanvw98 --tenant demo \\\n    --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "segment_id",
        "place": "path",
        "type": "text",
        "about": "segment id (seg_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "sort",
        "place": "query",
        "type": "text",
        "choices": [
          "last_activity",
          "created",
          "name"
        ],
        "about": "the order: latest activity first, newest first, or by name. Default: last_activity"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "contacts"
    ]
  },
  {
    "id": "contactImports.start",
    "command": "contact-imports start",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/import",
    "about": "import contacts from a CSV file",
    "example": "leadloom contact-imports start --tenant demo --csv Name,Email,Phone,Roof \\\n    --on-conflict update --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "csv",
        "place": "body",
        "type": "text",
        "about": "the file as text; either csv or file is required. A file has at most 50000 records"
      },
      {
        "name": "file",
        "place": "body",
        "type": "text",
        "about": "the file in base64: UTF-8, UTF-16 with a byte order mark, or Windows-1252; separated by commas, semicolons or tabs; at most 20 MiB"
      },
      {
        "name": "dry_run",
        "place": "body",
        "type": "boolean",
        "about": "true: only check the file and report the results. Default: false"
      },
      {
        "name": "on_conflict",
        "place": "body",
        "type": "text",
        "choices": [
          "skip",
          "update"
        ],
        "about": "what happens to a record with an email address or number of an existing contact. Default: skip"
      }
    ],
    "body": {
      "more": [
        "mapping"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "contactImports.list",
    "command": "contact-imports list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/imports",
    "about": "list the imports of contacts, newest first",
    "example": "leadloom contact-imports list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "imports"
    ]
  },
  {
    "id": "contactImports.get",
    "command": "contact-imports get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/imports/{import_id}",
    "about": "read an import with its progress and errors",
    "example": "leadloom contact-imports get imp_06bxrx3baewk4v81g8za56nvqk --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "import_id",
        "place": "path",
        "type": "text",
        "about": "import id (imp_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "contactImports.undo",
    "command": "contact-imports undo",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/imports/{import_id}/undo",
    "about": "undo an import",
    "example": "leadloom contact-imports undo imp_06bxrx3baewk4v81g8za56nvqk \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "import_id",
        "place": "path",
        "type": "text",
        "about": "import id (imp_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "conversations.list",
    "command": "conversations list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations",
    "about": "list conversations, one per contact, with filters, 50 per page",
    "example": "leadloom conversations list --tenant demo --alias hello@example.com",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "state",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "closed"
        ],
        "about": "only conversations in this state. Default: any state"
      },
      {
        "name": "assignee_id",
        "place": "query",
        "type": "text",
        "about": "only conversations of this user; none: conversations without an assignee"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only conversations of this team; none: conversations without a team"
      },
      {
        "name": "priority",
        "place": "query",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "only conversations of this priority"
      },
      {
        "name": "snooze_until",
        "place": "query",
        "type": "text",
        "about": "only snoozed conversations that open again up to this time"
      },
      {
        "name": "channel",
        "place": "query",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "only conversations whose newest message is on this channel"
      },
      {
        "name": "tier",
        "place": "query",
        "type": "text",
        "choices": [
          "hot",
          "warm",
          "cold"
        ],
        "about": "only conversations with a lead of this tier"
      },
      {
        "name": "lead_state",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "engaged",
          "qualified",
          "won",
          "lost",
          "archived"
        ],
        "about": "only conversations with a lead in this state"
      },
      {
        "name": "alias",
        "place": "query",
        "type": "text",
        "about": "only messages that arrived at this address"
      },
      {
        "name": "mailbox",
        "place": "query",
        "type": "text",
        "about": "the address of the connected account. Only conversations with mail to this account or to its aliases"
      },
      {
        "name": "q",
        "place": "query",
        "type": "text",
        "about": "only conversations with these words in a message or in the contact's data; the newest 200 matches of each"
      },
      {
        "name": "tags",
        "place": "query",
        "type": "text",
        "about": "only conversations with all of these tags, up to 5, separated by commas"
      },
      {
        "name": "unread",
        "place": "query",
        "type": "boolean",
        "about": "true: only unread conversations; false: only read ones. A user has an own unread state"
      },
      {
        "name": "sort",
        "place": "query",
        "type": "text",
        "choices": [
          "-last_timestamp",
          "waiting_since",
          "-priority"
        ],
        "about": "-last_timestamp (default): newest first. waiting_since: only conversations that wait for an answer, longest wait first. -priority: most urgent first, and equal ones newest first"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "conversations"
    ]
  },
  {
    "id": "conversations.get",
    "command": "conversations get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}",
    "about": "list a contact's messages on all channels, oldest first: in pages, or all at once (up to 10,000 messages or 64 MiB)",
    "example": "leadloom conversations get con_06bxrg8wzz3qxh0cedtpq7p6kg --tenant demo \\\n    --limit 3",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "messages per page. Without limit and cursor, the response contains all messages"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "messages",
      "scheduled"
    ]
  },
  {
    "id": "inbox.update",
    "command": "inbox update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}",
    "about": "assign, snooze, close, tag or prioritise a conversation, or mark it as unread",
    "example": "leadloom inbox update con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --assignee-id usr_06bxrxf7pgdecnr9vmr1ngz08p --tags storm \\\n    --priority high --unread",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "closed"
        ],
        "about": "closed: nobody has to answer, and the conversation is read for everybody"
      },
      {
        "name": "assignee_id",
        "place": "body",
        "type": "text",
        "about": "the user who handles the conversation"
      },
      {
        "name": "team_id",
        "place": "body",
        "type": "text",
        "about": "the team that handles the conversation"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "replaces all tags"
      },
      {
        "name": "priority",
        "place": "body",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "the urgency; default: normal"
      },
      {
        "name": "snooze_until",
        "place": "body",
        "type": "text",
        "about": "a future time: the conversation is snoozed until this time"
      },
      {
        "name": "unread",
        "place": "body",
        "type": "boolean",
        "about": "true: marks the conversation as unread for the acting user; false: marks it as read. Without an acting user (API keys), changes the shared unread state"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "conversations.send",
    "command": "conversations send",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/messages",
    "about": "send a message to a contact; email counts towards the tenant's limit of 50 per hour",
    "example": "leadloom conversations send con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --body 'Hello Priya, Nina calls you at 3 pm today.' --channel sms",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text, or HTML for email"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms"
        ],
        "about": "email: without subject, the message replies to the newest email of the contact's most recent email lead"
      },
      {
        "name": "reply_all",
        "place": "body",
        "type": "boolean",
        "about": "for email: also send to the other recipients of the answered email; default: false"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line of an email, at most 998 characters. With a subject and without reply_to_message_id, the email opens a thread. Default: the subject of the answered email"
      },
      {
        "name": "reply_to_message_id",
        "place": "body",
        "type": "text",
        "about": "the message_id of the email that this email answers. Both then belong to the same thread"
      },
      {
        "name": "forward_message_id",
        "place": "body",
        "type": "text",
        "about": "the email to forward: its text and its attachments follow the body. The subject becomes Fwd: … unless subject is sent"
      },
      {
        "name": "send_at",
        "place": "body",
        "type": "text",
        "about": "the time of the send, within one year: ISO 8601 with an offset from UTC, or a local time with time_zone. A time in the contact's quiet hours (21:00 to 08:00) moves to their end. Default: now"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "choices": [
          "contact",
          "tenant"
        ],
        "about": "the time zone of a local send_at: that of the contact or of the tenant"
      },
      {
        "name": "undo_seconds",
        "place": "body",
        "type": "number",
        "range": [
          0,
          30
        ],
        "about": "the seconds for which the message waits and can be cancelled, 0 to 30. Without effect together with send_at. Default: 0"
      },
      {
        "name": "cancel_on_reply",
        "place": "body",
        "type": "boolean",
        "about": "for a message that is sent later: true cancels it when the contact or a person of the tenant writes before. Default: false"
      },
      {
        "name": "override",
        "place": "body",
        "type": "list",
        "choices": [
          "undeliverable"
        ],
        "about": "the reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key"
      }
    ],
    "body": {
      "more": [
        "from",
        "to",
        "cc",
        "bcc",
        "reply_to",
        "attachments"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "conversations.markRead",
    "command": "conversations mark-read",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/read",
    "about": "mark the messages of a contact as read",
    "example": "leadloom conversations mark-read con_06bxrg8wzz3qxh0cedtpq7p6kg \\\n    --tenant demo --message-id msg_06bxrb0vpn0812za6fn86mp78k",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "message_id",
        "place": "body",
        "type": "text",
        "about": "the newest message that the person saw; later messages stay unread. Default: all messages become read"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "conversations.approveDraft",
    "command": "conversations approve-draft",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/approve-draft",
    "about": "send the pending draft, at most once; 409 when the draft differs from the version that the person saw",
    "example": "leadloom conversations approve-draft con_06bxrg8wzz3qxh0cedtpq7p6kg \\\n    --tenant demo --draft-id draft_06bxr60553ddxp4dqg7r13xcyd \\\n    --content-hash '981797f74aebe3efcf03cb36fb1570731c399024faa2cc41a99f8…' \\\n    --head-message-id msg_06bxrb0vpn0812za6fn86mp78k",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "body",
        "type": "text",
        "about": "default: the pending draft"
      },
      {
        "name": "content_hash",
        "place": "body",
        "type": "text",
        "about": "the hash of the text that the person saw"
      },
      {
        "name": "head_message_id",
        "place": "body",
        "type": "text",
        "about": "the newest message that the person saw"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "the text after changes by the person"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line of an email after changes by the person. Required to send the draft of a channel without replies, for example a form, as an email"
      },
      {
        "name": "undo_seconds",
        "place": "body",
        "type": "number",
        "range": [
          0,
          30
        ],
        "about": "the seconds for which the message waits and can be cancelled, 0 to 30. Without effect together with send_at. Default: 0"
      },
      {
        "name": "override",
        "place": "body",
        "type": "list",
        "choices": [
          "undeliverable"
        ],
        "about": "the reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key"
      }
    ],
    "body": {
      "more": [
        "to",
        "cc",
        "bcc"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "conversations.dismissDraft",
    "command": "conversations dismiss-draft",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/dismiss-draft",
    "about": "discard the pending draft without sending it",
    "example": "leadloom conversations dismiss-draft con_06bxrayamr9jtxmxd1aer44eq4 \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "body",
        "type": "text",
        "about": "default: the pending draft"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "conversations.labelSubject",
    "command": "conversations label-subject",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/messages/subject",
    "about": "label the contact that a message concerns",
    "example": "leadloom conversations label-subject con_06bxrg8wzz3qxh0cedtpq7p6kg \\\n    --tenant demo --message-id msg_06bxrb0vpn0812za6fn86mp78k \\\n    --subject-contact-id con_06bxrfthe7qzbpwn5nrdaegns4",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "message_id",
        "place": "body",
        "type": "text",
        "about": "message id (msg_…)"
      },
      {
        "name": "subject_contact_id",
        "place": "body",
        "type": "text",
        "about": "null: removes the label"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "notes.list",
    "command": "notes list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/notes",
    "about": "list the private notes about a conversation, newest first",
    "example": "leadloom notes list con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "notes"
    ]
  },
  {
    "id": "notes.create",
    "command": "notes create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/notes",
    "about": "write a private note about a conversation",
    "example": "leadloom notes create con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --body '<@usr_06bxrxf7pgdecnr9vmr1ngz08p> please call before 4 pm.'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text or Markdown, at most 10000 characters. <@usr_…> mentions a user, <@team_…> a team"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "notes.update",
    "command": "notes update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/notes/{note_id}",
    "about": "replace the text of a private note",
    "example": "leadloom notes update con_06bxrsk0bnq054a0pr285nk6sj \\\n    note_06bxrkhj694zpc362f0tr1brhh --tenant demo \\\n    --body '<@usr_06bxrxf7pgdecnr9vmr1ngz08p> please call about the roof …'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "note_id",
        "place": "path",
        "type": "text",
        "about": "note id (note_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text or Markdown, at most 10000 characters. <@usr_…> mentions a user, <@team_…> a team"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "notes.delete",
    "command": "notes delete",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/notes/{note_id}",
    "about": "delete a private note",
    "example": "leadloom notes delete con_06bxrsk0bnq054a0pr285nk6sj \\\n    note_06bxrkhj694zpc362f0tr1brhh --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "note_id",
        "place": "path",
        "type": "text",
        "about": "note id (note_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "cannedReplies.list",
    "command": "canned-replies list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies",
    "about": "list or search canned replies by name",
    "example": "leadloom canned-replies list --tenant demo --q visit",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "q",
        "place": "query",
        "type": "text",
        "about": "only replies whose name or shortcut begins with this text, in any case"
      },
      {
        "name": "folder",
        "place": "query",
        "type": "text",
        "about": "only replies in this folder"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "canned_replies"
    ]
  },
  {
    "id": "cannedReplies.create",
    "command": "canned-replies create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies",
    "about": "create a canned reply",
    "example": "leadloom canned-replies create --tenant demo --name 'Visit this week' \\\n    --body 'Hello {{contact.first_name}}, we can visit you this week.' \\\n    --folder Visits --subject 'Your visit' --shortcut visit \\\n    --channels email --channels sms",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name in lists; at most 200 characters"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "a Liquid template, for example Hello {{ contact.first_name }}; at most 10000 characters"
      },
      {
        "name": "folder",
        "place": "body",
        "type": "text",
        "about": "the folder in lists"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the template of the subject of an email"
      },
      {
        "name": "shortcut",
        "place": "body",
        "type": "text",
        "about": "a unique short form: lower-case letters, digits, _ and -"
      },
      {
        "name": "channels",
        "place": "body",
        "type": "list",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channels for which the reply is written; empty: all"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "cannedReplies.get",
    "command": "canned-replies get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies/{canned_reply_id}",
    "about": "read a canned reply",
    "example": "leadloom canned-replies get can_06bxr0m5b73br3trchgcheenwj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "canned_reply_id",
        "place": "path",
        "type": "text",
        "about": "canned reply id (can_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "cannedReplies.update",
    "command": "canned-replies update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies/{canned_reply_id}",
    "about": "change a canned reply",
    "example": "leadloom canned-replies update can_06bxr0m5b73br3trchgcheenwj \\\n    --tenant demo --folder Appointments",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "canned_reply_id",
        "place": "path",
        "type": "text",
        "about": "canned reply id (can_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name in lists; at most 200 characters"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "a Liquid template, for example Hello {{ contact.first_name }}; at most 10000 characters"
      },
      {
        "name": "folder",
        "place": "body",
        "type": "text",
        "about": "the folder in lists"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the template of the subject of an email"
      },
      {
        "name": "shortcut",
        "place": "body",
        "type": "text",
        "about": "a unique short form: lower-case letters, digits, _ and -"
      },
      {
        "name": "channels",
        "place": "body",
        "type": "list",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channels for which the reply is written; empty: all"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "cannedReplies.delete",
    "command": "canned-replies delete",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies/{canned_reply_id}",
    "about": "delete a canned reply",
    "example": "leadloom canned-replies delete can_06bxr0m5b73br3trchgcheenwj \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "canned_reply_id",
        "place": "path",
        "type": "text",
        "about": "canned reply id (can_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "cannedReplies.render",
    "command": "canned-replies render",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/canned-replies/{canned_reply_id}/render",
    "about": "render a canned reply for a contact",
    "example": "leadloom canned-replies render can_06bxr0m5b73br3trchgcheenwj \\\n    --tenant demo --contact-id con_06bxrsk0bnq054a0pr285nk6sj",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "canned_reply_id",
        "place": "path",
        "type": "text",
        "about": "canned reply id (can_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "contact id (con_…)"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "macros.list",
    "command": "macros list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/macros",
    "about": "list macros",
    "example": "leadloom macros list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "macros.create",
    "command": "macros create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/macros",
    "about": "create a macro",
    "example": "leadloom macros create --tenant demo --name 'Storm damage' \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "a name for people; at most 200 characters"
      }
    ],
    "body": {
      "more": [
        "actions"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "macros.get",
    "command": "macros get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/macros/{macro_id}",
    "about": "read a macro",
    "example": "leadloom macros get mac_06bxrr8f7kdjvg6expknvwdb9g --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "macro_id",
        "place": "path",
        "type": "text",
        "about": "macro id (mac_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "macros.update",
    "command": "macros update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/macros/{macro_id}",
    "about": "change a macro",
    "example": "leadloom macros update mac_06bxrr8f7kdjvg6expknvwdb9g --tenant demo \\\n    --name 'Storm damage: call back'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "macro_id",
        "place": "path",
        "type": "text",
        "about": "macro id (mac_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "a name for people; at most 200 characters"
      }
    ],
    "body": {
      "more": [
        "actions"
      ]
    },
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "macros.delete",
    "command": "macros delete",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/macros/{macro_id}",
    "about": "delete a macro",
    "example": "leadloom macros delete mac_06bxrr8f7kdjvg6expknvwdb9g --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "macro_id",
        "place": "path",
        "type": "text",
        "about": "macro id (mac_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "macros.run",
    "command": "macros run",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/macros/{macro_id}/run",
    "about": "carry out the actions of a macro in a conversation",
    "example": "leadloom macros run mac_06bxrr8f7kdjvg6expknvwdb9g --tenant demo \\\n    --contact-id con_06bxrsk0bnq054a0pr285nk6sj",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "macro_id",
        "place": "path",
        "type": "text",
        "about": "macro id (mac_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "contact id (con_…)"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "sequences.list",
    "command": "sequences list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/sequences",
    "about": "list sequences, oldest first",
    "example": "leadloom sequences list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "sequences"
    ]
  },
  {
    "id": "sequences.create",
    "command": "sequences create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences",
    "about": "create a sequence",
    "example": "leadloom sequences create --tenant demo --name 'After a quote' \\\n    --stop-on lead_closed --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name in lists; at most 200 characters"
      },
      {
        "name": "stop_on",
        "place": "body",
        "type": "list",
        "choices": [
          "lead_closed",
          "stage_changed"
        ],
        "about": "further conditions that stop an enrolment. lead_closed: its lead is won, lost or archived; stage_changed: its lead is in another stage than at the enrolment. A reply, a bounce and an opt-out always stop it"
      },
      {
        "name": "holdout_percent",
        "place": "body",
        "type": "number",
        "range": [
          0,
          90
        ],
        "about": "the percentage of contacts that are held out, 0 to 90: they get no message, so that the effect of the sequence can be measured. Applies to later enrolments. Default: 0"
      }
    ],
    "body": {
      "more": [
        "steps",
        "limits"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "sequences.get",
    "command": "sequences get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}",
    "about": "read a sequence",
    "example": "leadloom sequences get seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "sequences.update",
    "command": "sequences update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}",
    "about": "change a sequence",
    "example": "leadloom sequences update seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo \\\n    --name 'After every quote'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name in lists; at most 200 characters"
      },
      {
        "name": "stop_on",
        "place": "body",
        "type": "list",
        "choices": [
          "lead_closed",
          "stage_changed"
        ],
        "about": "further conditions that stop an enrolment. lead_closed: its lead is won, lost or archived; stage_changed: its lead is in another stage than at the enrolment. A reply, a bounce and an opt-out always stop it"
      },
      {
        "name": "holdout_percent",
        "place": "body",
        "type": "number",
        "range": [
          0,
          90
        ],
        "about": "the percentage of contacts that are held out, 0 to 90: they get no message, so that the effect of the sequence can be measured. Applies to later enrolments. Default: 0"
      },
      {
        "name": "migrate",
        "place": "body",
        "type": "boolean",
        "about": "true: running enrolments change to the new version before their next step. They continue after the last step that they have completed. Default: false, running enrolments keep their version"
      }
    ],
    "body": {
      "more": [
        "steps",
        "limits"
      ]
    },
    "result": "json",
    "credential": "operator",
    "versioned": true
  },
  {
    "id": "sequences.delete",
    "command": "sequences delete",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}",
    "about": "delete a sequence",
    "example": "leadloom sequences delete seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "sequences.statistics",
    "command": "sequences statistics",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/statistics",
    "about": "compare the contacts of a sequence with its holdout group",
    "example": "leadloom sequences statistics seq_06bxrepaaqyv2ghx24wxt8nvd2 \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "sequences.preview",
    "command": "sequences preview",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/preview",
    "about": "show the times and texts of a sequence for a contact",
    "example": "leadloom sequences preview seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo \\\n    --contact-id con_06bxrsk0bnq054a0pr285nk6sj",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "contact id (con_…)"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true,
    "keyless": "read-only"
  },
  {
    "id": "sequences.pause",
    "command": "sequences pause",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/pause",
    "about": "pause a sequence",
    "example": "leadloom sequences pause seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "sequences.resume",
    "command": "sequences resume",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/resume",
    "about": "continue a paused sequence",
    "example": "leadloom sequences resume seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "sequences.results",
    "command": "sequences results",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/results",
    "about": "count the sent and answered messages of a sequence by step and variant",
    "example": "leadloom sequences results seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "sequences.enrol",
    "command": "sequences enrol",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/enrolments",
    "about": "enrol a contact in a sequence",
    "example": "leadloom sequences enrol seq_06bxrepaaqyv2ghx24wxt8nvd2 --tenant demo \\\n    --contact-id con_06bxrsk0bnq054a0pr285nk6sj",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "contact id (con_…)"
      },
      {
        "name": "lead_id",
        "place": "body",
        "type": "text",
        "about": "the lead that stop_on is about. Default: the lead with the contact's newest message"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "enrolments.list",
    "command": "enrolments list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/enrolments",
    "about": "list enrolments, oldest first",
    "example": "leadloom enrolments list --tenant demo --state active",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "query",
        "type": "text",
        "about": "only enrolments in this sequence"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only enrolments of this contact"
      },
      {
        "name": "state",
        "place": "query",
        "type": "text",
        "choices": [
          "active",
          "paused",
          "completed",
          "stopped",
          "held_out"
        ],
        "about": "only enrolments in this state"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "enrolments"
    ]
  },
  {
    "id": "enrolments.get",
    "command": "enrolments get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/enrolments/{enrolment_id}",
    "about": "read an enrolment with the outcomes of its steps",
    "example": "leadloom enrolments get enr_06bxr9rpst382x7desqwqem37d --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "enrolment_id",
        "place": "path",
        "type": "text",
        "about": "enrolment id (enr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "enrolments.pause",
    "command": "enrolments pause",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/enrolments/{enrolment_id}/pause",
    "about": "pause an enrolment",
    "example": "leadloom enrolments pause enr_06bxr9rpst382x7desqwqem37d --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "enrolment_id",
        "place": "path",
        "type": "text",
        "about": "enrolment id (enr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "enrolments.resume",
    "command": "enrolments resume",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/enrolments/{enrolment_id}/resume",
    "about": "continue a paused enrolment",
    "example": "leadloom enrolments resume enr_06bxr9rpst382x7desqwqem37d --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "enrolment_id",
        "place": "path",
        "type": "text",
        "about": "enrolment id (enr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "enrolments.skip",
    "command": "enrolments skip",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/enrolments/{enrolment_id}/skip",
    "about": "skip the next step of an enrolment",
    "example": "leadloom enrolments skip enr_06bxr9rpst382x7desqwqem37d --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "enrolment_id",
        "place": "path",
        "type": "text",
        "about": "enrolment id (enr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "enrolments.stop",
    "command": "enrolments stop",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/enrolments/{enrolment_id}/stop",
    "about": "stop an enrolment",
    "example": "leadloom enrolments stop enr_06bxr9rpst382x7desqwqem37d --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "enrolment_id",
        "place": "path",
        "type": "text",
        "about": "enrolment id (enr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "messages.get",
    "command": "messages get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/messages/{message_id}",
    "about": "read a message with its parts, headers, attachments and delivery history",
    "example": "leadloom messages get msg_06bxr0sq0fnfr02jqt0cyyvm8f --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "messages.raw",
    "command": "messages raw",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/messages/{message_id}/raw",
    "about": "download the source of an email as it was received; for hosted accounts, the provider's JSON",
    "example": "leadloom messages raw msg_06bxr3e3rp2tv4yd9zdeycem04 --tenant demo \\\n    --out message.eml",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "operator"
  },
  {
    "id": "messages.parse",
    "command": "messages parse",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/messages/{message_id}/parse",
    "about": "parse the source of an email again and replace its content. Useful for unparsed messages and after an upgrade",
    "example": "leadloom messages parse msg_06bxr3e3rp2tv4yd9zdeycem04 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "threads.get",
    "command": "threads get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/threads/{thread_id}",
    "about": "read an email thread, and why each message belongs to it",
    "example": "leadloom threads get thr_06bxrt4tgn59a7bskv7yyg0jep --tenant demo \\\n    --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_id",
        "place": "path",
        "type": "text",
        "about": "thread id (thr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "the entries per page, 1 to 200. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "participants",
      "corrections",
      "messages"
    ]
  },
  {
    "id": "threads.split",
    "command": "threads split",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/threads/{thread_id}/split",
    "about": "make a message and all answers to it a new thread",
    "example": "leadloom threads split thr_06bxrt4tgn59a7bskv7yyg0jep --tenant demo \\\n    --message-id msg_06bxrxenhmjvgysxgrvfj5hq6h",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_id",
        "place": "path",
        "type": "text",
        "about": "thread id (thr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "message_id",
        "place": "body",
        "type": "text",
        "about": "the first message of the new thread"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "threads.move",
    "command": "threads move",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/threads/{thread_id}/move",
    "about": "move one message to another thread of its contact",
    "example": "leadloom threads move thr_06bxrecmecsmejwv62trygna1m --tenant demo \\\n    --message-id msg_06bxrxenhmjvgysxgrvfj5hq6h \\\n    --to-thread-id thr_06bxrt4tgn59a7bskv7yyg0jep",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_id",
        "place": "path",
        "type": "text",
        "about": "thread id (thr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "message_id",
        "place": "body",
        "type": "text",
        "about": "the message to move"
      },
      {
        "name": "to_thread_id",
        "place": "body",
        "type": "text",
        "about": "the thread that receives the message"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "threads.join",
    "command": "threads join",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/threads/join",
    "about": "join threads that have a contact in common",
    "example": "leadloom threads join --tenant demo \\\n    --thread-ids thr_06bxrt4tgn59a7bskv7yyg0jep \\\n    --thread-ids thr_06bxrecmecsmejwv62trygna1m",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_ids",
        "place": "body",
        "type": "list",
        "about": "the threads to join; 2 to 10"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "threads.corrections",
    "command": "threads corrections",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/threads/{thread_id}/corrections",
    "about": "list the corrections of a thread, latest first",
    "example": "leadloom threads corrections thr_06bxrt4tgn59a7bskv7yyg0jep --tenant demo \\\n    --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_id",
        "place": "path",
        "type": "text",
        "about": "thread id (thr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "the entries per page, 1 to 200. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "corrections"
    ]
  },
  {
    "id": "threads.undo",
    "command": "threads undo",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/threads/{thread_id}/corrections/{correction_id}/undo",
    "about": "undo a correction. A later correction of the same threads must be undone first",
    "example": "leadloom threads undo thr_06bxr24gym6j8fgewz3996x711 \\\n    cor_06bxrasd95ygfvypssg4p6v1zk --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "thread_id",
        "place": "path",
        "type": "text",
        "about": "thread id (thr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "correction_id",
        "place": "path",
        "type": "text",
        "about": "correction id (cor_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "attachments.download",
    "command": "attachments download",
    "method": "GET",
    "path": "/api/v1/public/attachments/{token}",
    "about": "download an attachment by the download_url of a conversation; needs no credential",
    "example": "leadloom attachments download eyJ0ZW5hbnQiOiJkZW1vIn0.c2lnbmF0dXJl \\\n    --out evaluations.csv",
    "fields": [
      {
        "name": "token",
        "place": "path",
        "type": "text",
        "about": "the signed token in the download_url of an attachment",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "uploads.create",
    "command": "uploads create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/uploads",
    "about": "upload a file of at most 25 MiB for a later message",
    "example": "leadloom uploads create --tenant demo --filename offer.pdf \\\n    --content-type application/pdf --data @body.txt",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "filename",
        "place": "query",
        "type": "text",
        "about": "the name of the file for the recipients",
        "required": true
      },
      {
        "name": "content_type",
        "place": "query",
        "type": "text",
        "about": "the media type for the recipients, for example image/png. Default: application/octet-stream"
      }
    ],
    "body": {
      "type": "application/octet-stream"
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "scheduled.list",
    "command": "scheduled list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/scheduled",
    "about": "list messages that are sent later, earliest first",
    "example": "leadloom scheduled list --tenant demo --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only messages to this contact"
      },
      {
        "name": "state",
        "place": "query",
        "type": "text",
        "choices": [
          "scheduled",
          "sent",
          "canceled",
          "failed"
        ],
        "about": "only messages in this state. Default: scheduled"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "the entries per page, 1 to 200. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "scheduled"
    ]
  },
  {
    "id": "scheduled.get",
    "command": "scheduled get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/scheduled/{message_id}",
    "about": "read a scheduled message in any state",
    "example": "leadloom scheduled get msg_06bxra1wjke5tzx8j0w205y1kd --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "scheduled.update",
    "command": "scheduled update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/scheduled/{message_id}",
    "about": "change a message that still waits",
    "example": "leadloom scheduled update msg_06bxra1wjke5tzx8j0w205y1kd --tenant demo \\\n    --expected-version 1 --send-at 2026-12-12T14:00:00 \\\n    --time-zone contact",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "version",
        "place": "body",
        "type": "number",
        "about": "the version that the person saw. Another version is rejected with 409. Default: not compared",
        "option": "expected-version"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text, or HTML for email"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line of an email, at most 998 characters. With a subject and without reply_to_message_id, the email opens a thread. Default: the subject of the answered email"
      },
      {
        "name": "reply_to_message_id",
        "place": "body",
        "type": "text",
        "about": "the message_id of the email that this email answers. Both then belong to the same thread"
      },
      {
        "name": "forward_message_id",
        "place": "body",
        "type": "text",
        "about": "the email to forward: its text and its attachments follow the body. The subject becomes Fwd: … unless subject is sent"
      },
      {
        "name": "send_at",
        "place": "body",
        "type": "text",
        "about": "the time of the send, within one year: ISO 8601 with an offset from UTC, or a local time with time_zone. A time in the contact's quiet hours (21:00 to 08:00) moves to their end. Default: now"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "choices": [
          "contact",
          "tenant"
        ],
        "about": "the time zone of a local send_at: that of the contact or of the tenant"
      },
      {
        "name": "cancel_on_reply",
        "place": "body",
        "type": "boolean",
        "about": "for a message that is sent later: true cancels it when the contact or a person of the tenant writes before. Default: false"
      }
    ],
    "body": {
      "more": [
        "from",
        "to",
        "cc",
        "bcc",
        "reply_to",
        "attachments"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "scheduled.cancel",
    "command": "scheduled cancel",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/scheduled/{message_id}",
    "about": "cancel a message that still waits",
    "example": "leadloom scheduled cancel msg_06bxra1wjke5tzx8j0w205y1kd --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "drafts.list",
    "command": "drafts list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts",
    "about": "list the drafts that people have written in a conversation",
    "example": "leadloom drafts list con_06bxrsk0bnq054a0pr285nk6sj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "drafts.create",
    "command": "drafts create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts",
    "about": "save a draft, which all people of the tenant can read, change and send",
    "example": "leadloom drafts create con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --channel email --body '<p>Hello Priya,</p><p>here is our offer.</p>' \\\n    --subject 'Your offer' --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms"
        ],
        "about": "the channel of the message"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text, or HTML for email; at most 1,000,000 characters"
      },
      {
        "name": "reply_all",
        "place": "body",
        "type": "boolean",
        "about": "for email: also send to the other recipients of the answered email; default: false"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line of an email, at most 998 characters. With a subject and without reply_to_message_id, the email opens a thread. Default: the subject of the answered email"
      },
      {
        "name": "reply_to_message_id",
        "place": "body",
        "type": "text",
        "about": "the message_id of the email that this email answers. Both then belong to the same thread"
      },
      {
        "name": "forward_message_id",
        "place": "body",
        "type": "text",
        "about": "the email to forward: its text and its attachments follow the body. The subject becomes Fwd: … unless subject is sent"
      }
    ],
    "body": {
      "more": [
        "from",
        "to",
        "cc",
        "bcc",
        "reply_to",
        "attachments"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "drafts.get",
    "command": "drafts get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts/{draft_id}",
    "about": "read a draft; its ETag is its version",
    "example": "leadloom drafts get con_06bxrsk0bnq054a0pr285nk6sj \\\n    draft_06bxr1b5fw62r3s2sn3cssx0g0 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "path",
        "type": "text",
        "about": "draft id (draft_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "drafts.update",
    "command": "drafts update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts/{draft_id}",
    "about": "change a draft",
    "example": "leadloom drafts update con_06bxrsk0bnq054a0pr285nk6sj \\\n    draft_06bxr1b5fw62r3s2sn3cssx0g0 --tenant demo --expected-version 1 \\\n    --body '<p>Hello Priya,</p><p>here is our offer for the roof.</p>'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "path",
        "type": "text",
        "about": "draft id (draft_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "version",
        "place": "body",
        "type": "number",
        "about": "the version that the person saw. Required unless If-Match is sent",
        "option": "expected-version"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms"
        ],
        "about": "the channel of the message"
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text, or HTML for email; at most 1,000,000 characters"
      },
      {
        "name": "reply_all",
        "place": "body",
        "type": "boolean",
        "about": "for email: also send to the other recipients of the answered email; default: false"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line of an email, at most 998 characters. With a subject and without reply_to_message_id, the email opens a thread. Default: the subject of the answered email"
      },
      {
        "name": "reply_to_message_id",
        "place": "body",
        "type": "text",
        "about": "the message_id of the email that this email answers. Both then belong to the same thread"
      },
      {
        "name": "forward_message_id",
        "place": "body",
        "type": "text",
        "about": "the email to forward: its text and its attachments follow the body. The subject becomes Fwd: … unless subject is sent"
      }
    ],
    "body": {
      "more": [
        "from",
        "to",
        "cc",
        "bcc",
        "reply_to",
        "attachments"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "versioned": true
  },
  {
    "id": "drafts.remove",
    "command": "drafts remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts/{draft_id}",
    "about": "delete a draft",
    "example": "leadloom drafts remove con_06bxrsk0bnq054a0pr285nk6sj \\\n    draft_06bxr3f9p4jgy6bcrsp6z0aybr --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "path",
        "type": "text",
        "about": "draft id (draft_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "versioned": true
  },
  {
    "id": "drafts.send",
    "command": "drafts send",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/drafts/{draft_id}/send",
    "about": "send a draft, at most once; 409 when another person has changed it",
    "example": "leadloom drafts send con_06bxrsk0bnq054a0pr285nk6sj \\\n    draft_06bxr1b5fw62r3s2sn3cssx0g0 --tenant demo --expected-version 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "draft_id",
        "place": "path",
        "type": "text",
        "about": "draft id (draft_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "version",
        "place": "body",
        "type": "number",
        "about": "the version that the person saw. Required unless If-Match is sent",
        "option": "expected-version"
      },
      {
        "name": "send_at",
        "place": "body",
        "type": "text",
        "about": "the time of the send, within one year: ISO 8601 with an offset from UTC, or a local time with time_zone. A time in the contact's quiet hours (21:00 to 08:00) moves to their end. Default: now"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "choices": [
          "contact",
          "tenant"
        ],
        "about": "the time zone of a local send_at: that of the contact or of the tenant"
      },
      {
        "name": "undo_seconds",
        "place": "body",
        "type": "number",
        "range": [
          0,
          30
        ],
        "about": "the seconds for which the message waits and can be cancelled, 0 to 30. Without effect together with send_at. Default: 0"
      },
      {
        "name": "cancel_on_reply",
        "place": "body",
        "type": "boolean",
        "about": "for a message that is sent later: true cancels it when the contact or a person of the tenant writes before. Default: false"
      },
      {
        "name": "override",
        "place": "body",
        "type": "list",
        "choices": [
          "undeliverable"
        ],
        "about": "the reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true,
    "versioned": true
  },
  {
    "id": "remoteImages.list",
    "command": "remote-images list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/messages/{message_id}/images",
    "about": "list the remote images of a mail with links to the image proxy",
    "example": "leadloom remote-images list msg_06bxrxenhmjvgysxgrvfj5hq6h --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "message_id",
        "place": "path",
        "type": "text",
        "about": "message id (msg_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "show",
        "place": "query",
        "type": "text",
        "choices": [
          "once"
        ],
        "about": "once: returns links although the sender is not allowed"
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "remoteImages.allow",
    "command": "remote-images allow",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/remote-images",
    "about": "show the remote images in the mails of a contact",
    "example": "leadloom remote-images allow con_06bxryb8gvke8xpqnx0yf6gxs0 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "remoteImages.disallow",
    "command": "remote-images disallow",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/remote-images",
    "about": "hide the remote images in the mails of a contact again",
    "example": "leadloom remote-images disallow con_06bxryb8gvke8xpqnx0yf6gxs0 \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "imageProxy.image",
    "command": "remote-images image",
    "method": "GET",
    "path": "/api/v1/public/images/{token}",
    "about": "load a remote image by its proxy_url; needs no credential",
    "example": "leadloom remote-images image eyJ0ZW5hbnQiOiJkZW1vIn0.c2lnbmF0dXJl \\\n    --out evaluations.csv",
    "fields": [
      {
        "name": "token",
        "place": "path",
        "type": "text",
        "about": "the signed token in the proxy_url of an image",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "simulations.sequence",
    "command": "simulations sequence",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sequences/{sequence_id}/simulations",
    "about": "simulate a sequence with the contacts and messages of the past",
    "example": "leadloom simulations sequence seq_06bxrepaaqyv2ghx24wxt8nvd2 \\\n    --tenant demo --limit 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "sequence_id",
        "place": "path",
        "type": "text",
        "about": "sequence id (seq_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "stop_on",
        "place": "body",
        "type": "list",
        "choices": [
          "lead_closed",
          "stage_changed"
        ],
        "about": "the proposed conditions that stop an enrolment; default: those of the sequence"
      },
      {
        "name": "segment_id",
        "place": "body",
        "type": "text",
        "about": "a segment (seg_…) whose present members enter at the start of the period, or at their creation"
      },
      {
        "name": "rule_id",
        "place": "body",
        "type": "text",
        "about": "a rule of the tenant with the action start_sequence. Contacts enter at the messages that it matches"
      },
      {
        "name": "since",
        "place": "body",
        "type": "text",
        "about": "the start of the period, at most 90 days ago; default: 30 days before its end"
      },
      {
        "name": "until",
        "place": "body",
        "type": "text",
        "about": "the end of the period; default: now. Send until of the first page with the requests for the next pages"
      },
      {
        "name": "max",
        "place": "body",
        "type": "number",
        "range": [
          1,
          1000
        ],
        "about": "the maximum number of simulated contacts, 1 to 1000; default: 200"
      },
      {
        "name": "limit",
        "place": "body",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "the number of contacts per page, 1 to 200; default: 50"
      },
      {
        "name": "cursor",
        "place": "body",
        "type": "text",
        "about": "next_cursor of the previous page. The other fields must be those of the previous page"
      }
    ],
    "body": {
      "more": [
        "steps",
        "rule"
      ]
    },
    "result": "json",
    "credential": "operator",
    "items": [
      "contacts"
    ],
    "idempotent": true
  },
  {
    "id": "simulations.rule",
    "command": "simulations rule",
    "method": "POST",
    "path": "/api/v1/config/{tenant_id}/rule-simulations",
    "about": "simulate a rule with the contacts and events of the past",
    "example": "leadloom simulations rule --tenant demo --max 1 --limit 1 \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "rule_id",
        "place": "body",
        "type": "text",
        "about": "a rule of the tenant with another trigger than message_received. It is simulated as if it were enabled"
      },
      {
        "name": "since",
        "place": "body",
        "type": "text",
        "about": "the start of the period, at most 90 days ago; default: 30 days before its end"
      },
      {
        "name": "until",
        "place": "body",
        "type": "text",
        "about": "the end of the period; default: now. Send until of the first page with the requests for the next pages"
      },
      {
        "name": "max",
        "place": "body",
        "type": "number",
        "range": [
          1,
          1000
        ],
        "about": "the maximum number of causes, 1 to 1000; default: 200. The oldest ones of the period count"
      },
      {
        "name": "limit",
        "place": "body",
        "type": "number",
        "range": [
          1,
          200
        ],
        "about": "the number of causes per page, 1 to 200; default: 50"
      },
      {
        "name": "cursor",
        "place": "body",
        "type": "text",
        "about": "next_cursor of the previous page. The other fields must be those of the previous page"
      }
    ],
    "body": {
      "more": [
        "rule"
      ]
    },
    "result": "json",
    "credential": "operator",
    "items": [
      "notes",
      "causes"
    ],
    "idempotent": true
  },
  {
    "id": "leads.list",
    "command": "leads list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/leads",
    "about": "list leads by state, tier, contact, assignee, team and date, without merged leads",
    "example": "leadloom leads list --tenant demo --tier hot --limit 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "state",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "engaged",
          "qualified",
          "won",
          "lost",
          "archived"
        ],
        "about": "only leads in this state"
      },
      {
        "name": "tier",
        "place": "query",
        "type": "text",
        "choices": [
          "hot",
          "warm",
          "cold",
          "none"
        ],
        "about": "none: leads without a score"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only leads of this contact"
      },
      {
        "name": "assignee",
        "place": "query",
        "type": "text",
        "about": "only leads of this person"
      },
      {
        "name": "assignee_id",
        "place": "query",
        "type": "text",
        "about": "only leads that are assigned to this user"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only leads that are assigned to this team"
      },
      {
        "name": "created_after",
        "place": "query",
        "type": "text",
        "about": "created at or after this time"
      },
      {
        "name": "created_before",
        "place": "query",
        "type": "text",
        "about": "created before this time (exclusive)"
      },
      {
        "name": "last_message_after",
        "place": "query",
        "type": "text",
        "about": "the newest message is at or after this time"
      },
      {
        "name": "last_message_before",
        "place": "query",
        "type": "text",
        "about": "the newest message is before this time"
      },
      {
        "name": "pipeline_id",
        "place": "query",
        "type": "text",
        "about": "only leads of this pipeline"
      },
      {
        "name": "stage_id",
        "place": "query",
        "type": "text",
        "about": "only leads in this stage"
      },
      {
        "name": "tag",
        "place": "query",
        "type": "text",
        "about": "only leads with this tag"
      },
      {
        "name": "min_value",
        "place": "query",
        "type": "number",
        "range": [
          0,
          999999999999
        ],
        "about": "only leads with at least this value, in the smallest unit of their currency"
      },
      {
        "name": "max_value",
        "place": "query",
        "type": "number",
        "range": [
          0,
          999999999999
        ],
        "about": "only leads with at most this value"
      },
      {
        "name": "expected_close_from",
        "place": "query",
        "type": "text",
        "about": "the decision is expected on this date or later (YYYY-MM-DD)"
      },
      {
        "name": "expected_close_until",
        "place": "query",
        "type": "text",
        "about": "the decision is expected on this date or earlier (YYYY-MM-DD)"
      },
      {
        "name": "sort",
        "place": "query",
        "type": "text",
        "choices": [
          "-created_at",
          "created_at",
          "-last_message_at",
          "last_message_at",
          "-value",
          "value",
          "-expected_close_on",
          "expected_close_on"
        ],
        "about": "value and expected_close_on list only leads with such a value, and are the default with a range of this field. Filters by pipeline, stage or tag cannot be combined with last_message_at; with these filters, a page can have fewer leads than its limit although next_cursor is not null. A leading minus sorts newest first. Default: -created_at; with a filter on last messages, -last_message_at. With -created_at, the pages together contain every lead exactly once. A time filter requires the sort order of the same field"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "leads"
    ]
  },
  {
    "id": "leads.create",
    "command": "leads create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/leads",
    "about": "create a lead of a known or a new contact, with a first message if there is one",
    "example": "leadloom leads create --tenant demo --subject 'New roof for a garage' \\\n    --source trade-fair --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact of the lead. Exactly one of contact_id and contact is required"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line or a short title; at most 998 characters"
      },
      {
        "name": "assignee",
        "place": "body",
        "type": "text",
        "about": "the person responsible for the lead, as a name or an address"
      },
      {
        "name": "value",
        "place": "body",
        "type": "number",
        "range": [
          0,
          999999999999
        ],
        "about": "the expected value in the smallest unit of the currency, for example cents"
      },
      {
        "name": "currency",
        "place": "body",
        "type": "text",
        "about": "the ISO 4217 currency of the value; null without a value"
      },
      {
        "name": "expected_close_on",
        "place": "body",
        "type": "text",
        "about": "the date on which a decision is expected (YYYY-MM-DD)"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "labels of the lead; at most 50 with at most 64 characters each"
      },
      {
        "name": "assignee_id",
        "place": "body",
        "type": "text",
        "about": "the user responsible for the lead (usr_…)"
      },
      {
        "name": "team_id",
        "place": "body",
        "type": "text",
        "about": "the team responsible for the lead (team_…)"
      },
      {
        "name": "stage_id",
        "place": "body",
        "type": "text",
        "about": "a stage with the state open. Default: the first one of the default pipeline"
      },
      {
        "name": "channel",
        "place": "body",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "the channel of a message. webhook: forms, custom events and requests of partner applications"
      },
      {
        "name": "source",
        "place": "body",
        "type": "text",
        "about": "the origin of the lead, 1 to 255 characters. Default: api"
      },
      {
        "name": "run_pipeline",
        "place": "body",
        "type": "boolean",
        "about": "whether the pipeline classifies, scores, routes and answers the contact's messages; default: false"
      }
    ],
    "body": {
      "more": [
        "contact",
        "custom_fields",
        "message"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "leads.get",
    "command": "leads get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}",
    "about": "read a lead",
    "example": "leadloom leads get lead_06bxr90k56k7bch5kzbnw1zktv --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "leads.update",
    "command": "leads update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}",
    "about": "change a lead's subject, assignee, team, value, expected date, tags or loss reason",
    "example": "leadloom leads update lead_06bxrzfxksv0deva12xva100bb --tenant demo \\\n    --assignee nina@example.com --value 1250000 --currency USD \\\n    --expected-close-on 2026-12-18 --tags roof",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject line or a short title; at most 998 characters"
      },
      {
        "name": "assignee",
        "place": "body",
        "type": "text",
        "about": "the person responsible for the lead, as a name or an address"
      },
      {
        "name": "value",
        "place": "body",
        "type": "number",
        "range": [
          0,
          999999999999
        ],
        "about": "the expected value in the smallest unit of the currency, for example cents"
      },
      {
        "name": "currency",
        "place": "body",
        "type": "text",
        "about": "the ISO 4217 currency of the value; null without a value"
      },
      {
        "name": "expected_close_on",
        "place": "body",
        "type": "text",
        "about": "the date on which a decision is expected (YYYY-MM-DD)"
      },
      {
        "name": "tags",
        "place": "body",
        "type": "list",
        "about": "labels of the lead; at most 50 with at most 64 characters each"
      },
      {
        "name": "loss_reason",
        "place": "body",
        "type": "text",
        "about": "the reason why the lead was lost; at most 200 characters"
      },
      {
        "name": "assignee_id",
        "place": "body",
        "type": "text",
        "about": "the user responsible for the lead (usr_…)"
      },
      {
        "name": "team_id",
        "place": "body",
        "type": "text",
        "about": "the team responsible for the lead (team_…)"
      }
    ],
    "body": {
      "more": [
        "custom_fields"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "leads.append",
    "command": "leads append",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/conversation",
    "about": "append up to 100 recent entries from another system; the server stores all entries or none",
    "example": "leadloom leads append lead_06bxrzfxksv0deva12xva100bb --tenant demo \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "run_pipeline",
        "place": "body",
        "type": "boolean",
        "about": "whether the pipeline classifies, scores, routes and answers the contact's messages; default: false"
      }
    ],
    "body": {
      "more": [
        "entries"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "leads.import",
    "command": "leads import",
    "method": "PUT",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/conversation/import",
    "about": "import up to 1,000 old entries; the server stores all entries or none. A repeated request changes nothing",
    "example": "leadloom leads import lead_06bxrzfxksv0deva12xva100bb --tenant demo \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      }
    ],
    "body": {
      "more": [
        "entries"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "leads.score",
    "command": "leads score",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/score",
    "about": "score a lead now, based on the newest message of its contact",
    "example": "leadloom leads score lead_06bxrzfxksv0deva12xva100bb --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "leads.listScores",
    "command": "leads list-scores",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/scores",
    "about": "list every score of a lead, newest first",
    "example": "leadloom leads list-scores lead_06bxrzfxksv0deva12xva100bb --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "scores"
    ]
  },
  {
    "id": "leads.transition",
    "command": "leads transition",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/transition",
    "about": "move a lead to another state. If the change is not permitted, the error with status 409 lists the permitted states",
    "example": "leadloom leads transition lead_06bxrzfxksv0deva12xva100bb --tenant demo \\\n    --state engaged --reason 'Visit agreed'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "choices": [
          "open",
          "engaged",
          "qualified",
          "won",
          "lost",
          "archived"
        ],
        "about": "the new state"
      },
      {
        "name": "reason",
        "place": "body",
        "type": "text",
        "about": "why the state changes, at most 500 characters"
      },
      {
        "name": "loss_reason",
        "place": "body",
        "type": "text",
        "about": "why the lead is lost, at most 200 characters. Only for the state lost; the configuration can require it and limit it to a list"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "leads.move",
    "command": "leads move",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/leads/{lead_id}/stage",
    "about": "move a lead to a stage of any pipeline",
    "example": "leadloom leads move lead_06bxrzfxksv0deva12xva100bb --tenant demo \\\n    --stage-id stg_06bxrxrn3w08a675w2fc3dxdb0",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "stage_id",
        "place": "body",
        "type": "text",
        "about": "the new stage, in any pipeline of the tenant"
      },
      {
        "name": "reason",
        "place": "body",
        "type": "text",
        "about": "why the stage changes, at most 500 characters"
      },
      {
        "name": "loss_reason",
        "place": "body",
        "type": "text",
        "about": "why the lead is lost, at most 200 characters. Only for the state lost; the configuration can require it and limit it to a list"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "leads.find",
    "command": "leads find",
    "method": "GET",
    "path": "/api/v1/leads/{lead_id}",
    "about": "read a lead by its id, without its tenant; finds leads of all tenants that the credential may access",
    "example": "leadloom leads find lead_06bxrzfxksv0deva12xva100bb",
    "fields": [
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "integration"
  },
  {
    "id": "leads.conversation",
    "command": "leads conversation",
    "method": "GET",
    "path": "/api/v1/leads/{lead_id}/conversation",
    "about": "list the messages of a lead, oldest first; 100 per page by default",
    "example": "leadloom leads conversation lead_06bxrzfxksv0deva12xva100bb",
    "fields": [
      {
        "name": "lead_id",
        "place": "path",
        "type": "text",
        "about": "lead id (lead_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 100"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "integration",
    "items": [
      "messages"
    ]
  },
  {
    "id": "pipelines.list",
    "command": "pipelines list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipelines",
    "about": "list the pipelines of leads with their stages; at most 20",
    "example": "leadloom pipelines list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "pipelines.create",
    "command": "pipelines create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/pipelines",
    "about": "create a pipeline with its stages",
    "example": "leadloom pipelines create --tenant demo --name Renewals \\\n    --data '{\"stages\":[{\"name\":\"Due\",\"state\":\"open\"}]}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the pipeline; 1 to 100 characters"
      }
    ],
    "body": {
      "more": [
        "stages"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "pipelines.get",
    "command": "pipelines get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipelines/{pipeline_id}",
    "about": "read a pipeline",
    "example": "leadloom pipelines get pip_default --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "pipeline_id",
        "place": "path",
        "type": "text",
        "about": "pipeline id (pip_…). Every tenant has pip_default",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "pipelines.update",
    "command": "pipelines update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/pipelines/{pipeline_id}",
    "about": "rename a pipeline; add, rename, order and remove its stages",
    "example": "leadloom pipelines update pip_default --tenant demo --name Roofs \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "pipeline_id",
        "place": "path",
        "type": "text",
        "about": "pipeline id (pip_…). Every tenant has pip_default",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the pipeline; 1 to 100 characters"
      }
    ],
    "body": {
      "more": [
        "stages",
        "moves"
      ]
    },
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "pipelines.delete",
    "command": "pipelines delete",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/pipelines/{pipeline_id}",
    "about": "delete a pipeline without leads",
    "example": "leadloom pipelines delete pip_06bxre489pmhq7h7q831hfqqqy --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "pipeline_id",
        "place": "path",
        "type": "text",
        "about": "pipeline id (pip_…). Every tenant has pip_default",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "pipelines.board",
    "command": "pipelines board",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/pipelines/{pipeline_id}/board",
    "about": "read the exact number and value of the leads in each stage of a pipeline",
    "example": "leadloom pipelines board pip_default --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "pipeline_id",
        "place": "path",
        "type": "text",
        "about": "pipeline id (pip_…). Every tenant has pip_default",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "inbox.row",
    "command": "inbox row",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/row",
    "about": "read a contact's row of the conversation list",
    "example": "leadloom inbox row con_06bxrsk0bnq054a0pr285nk6sj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "inbox.presence",
    "command": "inbox presence",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/presence",
    "about": "list the users who view a conversation or write in it",
    "example": "leadloom inbox presence con_06bxrsk0bnq054a0pr285nk6sj --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "inbox.reportPresence",
    "command": "inbox report-presence",
    "method": "PUT",
    "path": "/api/v1/tenants/{tenant_id}/conversations/{contact_id}/presence",
    "about": "report that the acting user views a conversation, writes in it or has left it",
    "example": "leadloom inbox report-presence con_06bxrsk0bnq054a0pr285nk6sj \\\n    --tenant demo --state typing",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "choices": [
          "viewing",
          "typing",
          "left"
        ],
        "about": "viewing: the user has opened the conversation; typing: the user writes; left: ends the presence"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "inbox.bulk",
    "command": "inbox bulk",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/conversations/bulk",
    "about": "change up to 500 conversations",
    "example": "leadloom inbox bulk --tenant demo \\\n    --contact-ids con_06bxrsk0bnq054a0pr285nk6sj \\\n    --contact-ids con_06bxrfthe7qzbpwn5nrdaegns4 \\\n    --data '{\"change\":{\"tags\":[\"storm\",\"roof\"]}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_ids",
        "place": "body",
        "type": "list",
        "about": "the contacts of the conversations, 1 to 500"
      }
    ],
    "body": {
      "more": [
        "change"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "inbox.counts",
    "command": "inbox counts",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/conversations/counts",
    "about": "count conversations by state, assignee, team, unread state and filters",
    "example": "leadloom inbox counts --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "state",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "closed"
        ],
        "about": "only conversations in this state. Default: any state"
      },
      {
        "name": "assignee_id",
        "place": "query",
        "type": "text",
        "about": "only conversations of this user; none: conversations without an assignee"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only conversations of this team; none: conversations without a team"
      },
      {
        "name": "priority",
        "place": "query",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "only conversations of this priority"
      },
      {
        "name": "snooze_until",
        "place": "query",
        "type": "text",
        "about": "only snoozed conversations that open again up to this time"
      },
      {
        "name": "channel",
        "place": "query",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "only conversations whose newest message is on this channel"
      },
      {
        "name": "tier",
        "place": "query",
        "type": "text",
        "choices": [
          "hot",
          "warm",
          "cold"
        ],
        "about": "only conversations with a lead of this tier"
      },
      {
        "name": "lead_state",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "engaged",
          "qualified",
          "won",
          "lost",
          "archived"
        ],
        "about": "only conversations with a lead in this state"
      },
      {
        "name": "alias",
        "place": "query",
        "type": "text",
        "about": "only messages that arrived at this address"
      },
      {
        "name": "mailbox",
        "place": "query",
        "type": "text",
        "about": "the address of the connected account. Only conversations with mail to this account or to its aliases"
      },
      {
        "name": "q",
        "place": "query",
        "type": "text",
        "about": "only conversations with these words in a message or in the contact's data; the newest 200 matches of each"
      },
      {
        "name": "tags",
        "place": "query",
        "type": "text",
        "about": "only conversations with all of these tags, up to 5, separated by commas"
      },
      {
        "name": "unread",
        "place": "query",
        "type": "boolean",
        "about": "true: only unread conversations; false: only read ones. A user has an own unread state"
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "views.list",
    "command": "views list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/views",
    "about": "list the saved views with their numbers of conversations",
    "example": "leadloom views list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          50
        ],
        "about": "the entries per page, 1 to 50. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "views"
    ]
  },
  {
    "id": "views.create",
    "command": "views create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/views",
    "about": "save filters and an order as a view",
    "example": "leadloom views create --tenant demo --name 'Storm damage' --shared \\\n    --data '{\"filters\":{\"state\":\"open\",\"tags\":[\"storm\"]}}'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the view; 1 to 200 characters"
      },
      {
        "name": "shared",
        "place": "body",
        "type": "boolean",
        "about": "true: all users see the view (managers only). Default: only the acting user sees it"
      }
    ],
    "body": {
      "more": [
        "filters"
      ]
    },
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "views.get",
    "command": "views get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/views/{view_id}",
    "about": "read a view",
    "example": "leadloom views get view_06bxreskm11jv88wc9mjp37yxt --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "view_id",
        "place": "path",
        "type": "text",
        "about": "view id (view_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "views.update",
    "command": "views update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/views/{view_id}",
    "about": "change a view",
    "example": "leadloom views update view_06bxreskm11jv88wc9mjp37yxt --tenant demo \\\n    --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "view_id",
        "place": "path",
        "type": "text",
        "about": "view id (view_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the view; 1 to 200 characters"
      },
      {
        "name": "shared",
        "place": "body",
        "type": "boolean",
        "about": "whether all users see the view"
      }
    ],
    "body": {
      "more": [
        "filters"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "views.remove",
    "command": "views remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/views/{view_id}",
    "about": "delete a view",
    "example": "leadloom views remove view_06bxreskm11jv88wc9mjp37yxt --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "view_id",
        "place": "path",
        "type": "text",
        "about": "view id (view_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "tasks.list",
    "command": "tasks list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/tasks",
    "about": "list tasks by due time or priority; only open tasks by default",
    "example": "leadloom tasks list --tenant demo --limit 2 --sort -priority",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "status",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "done"
        ],
        "about": "default: open"
      },
      {
        "name": "type",
        "place": "query",
        "type": "text",
        "choices": [
          "reply_approval",
          "callback",
          "follow_up",
          "review"
        ],
        "about": "only tasks of this type"
      },
      {
        "name": "priority",
        "place": "query",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "only tasks of this priority"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this contact"
      },
      {
        "name": "lead_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this lead"
      },
      {
        "name": "assignee_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this user"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this team"
      },
      {
        "name": "due_after",
        "place": "query",
        "type": "text",
        "about": "only tasks that are due at or after this time (ISO 8601)"
      },
      {
        "name": "due_before",
        "place": "query",
        "type": "text",
        "about": "only tasks that are due before this time (ISO 8601)"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "sort",
        "place": "query",
        "type": "text",
        "choices": [
          "due_at",
          "-priority",
          "priority"
        ],
        "about": "due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "tasks"
    ]
  },
  {
    "id": "tasks.create",
    "command": "tasks create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/tasks",
    "about": "create a task about a contact, or without one",
    "example": "leadloom tasks create --tenant demo \\\n    --title 'Check the roof after the repair' --type follow_up \\\n    --priority high --contact-id con_06bxrsk0bnq054a0pr285nk6sj \\\n    --due-at 2026-03-14T14:00:00.000Z",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "title",
        "place": "body",
        "type": "text",
        "about": "a short instruction for the person; at most 200 characters"
      },
      {
        "name": "type",
        "place": "body",
        "type": "text",
        "choices": [
          "callback",
          "follow_up",
          "review"
        ],
        "about": "the kind of work: call back, follow up, or review something"
      },
      {
        "name": "priority",
        "place": "body",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "the urgency; default: normal"
      },
      {
        "name": "description",
        "place": "body",
        "type": "text",
        "about": "details for the person, as plain text or Markdown; at most 5000 characters"
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact that the task concerns; absent or null: none"
      },
      {
        "name": "lead_id",
        "place": "body",
        "type": "text",
        "about": "the lead that the task concerns"
      },
      {
        "name": "due_at",
        "place": "body",
        "type": "text",
        "about": "the time by which the task should be done (ISO 8601 in UTC)"
      },
      {
        "name": "assignee_id",
        "place": "body",
        "type": "text",
        "about": "the user who should do the task"
      },
      {
        "name": "team_id",
        "place": "body",
        "type": "text",
        "about": "the team that should do the task"
      },
      {
        "name": "remind_at",
        "place": "body",
        "type": "text",
        "about": "the time of the event task.reminder (ISO 8601 in UTC)"
      },
      {
        "name": "recurrence",
        "place": "body",
        "type": "text",
        "about": "a rule of RFC 5545 with FREQ (DAILY, WEEKLY or MONTHLY), INTERVAL and BYDAY, for example FREQ=WEEKLY;BYDAY=MO,TH. Completing the task creates the next one"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "tasks.get",
    "command": "tasks get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/tasks/{task_id}",
    "about": "read a task",
    "example": "leadloom tasks get task_06bxra7mqqsj45yd3efssqvren --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "task_id",
        "place": "path",
        "type": "text",
        "about": "task id (task_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "tasks.update",
    "command": "tasks update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/tasks/{task_id}",
    "about": "change, reassign, snooze or complete a task",
    "example": "leadloom tasks update task_06bxreczjj39sdjysjh90p5af2 --tenant demo \\\n    --status done --disposition 'Called back, visit on Thursday'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "task_id",
        "place": "path",
        "type": "text",
        "about": "task id (task_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "status",
        "place": "body",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "done"
        ],
        "about": "snoozed tasks open again at snooze_until; done tasks are finished"
      },
      {
        "name": "priority",
        "place": "body",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "the urgency; default: normal"
      },
      {
        "name": "title",
        "place": "body",
        "type": "text",
        "about": "a short instruction for the person; at most 200 characters"
      },
      {
        "name": "description",
        "place": "body",
        "type": "text",
        "about": "details for the person, as plain text or Markdown; at most 5000 characters"
      },
      {
        "name": "lead_id",
        "place": "body",
        "type": "text",
        "about": "the lead that the task concerns"
      },
      {
        "name": "due_at",
        "place": "body",
        "type": "text",
        "about": "the time by which the task should be done (ISO 8601 in UTC)"
      },
      {
        "name": "assignee_id",
        "place": "body",
        "type": "text",
        "about": "the user who should do the task"
      },
      {
        "name": "team_id",
        "place": "body",
        "type": "text",
        "about": "the team that should do the task"
      },
      {
        "name": "remind_at",
        "place": "body",
        "type": "text",
        "about": "the time of the event task.reminder (ISO 8601 in UTC)"
      },
      {
        "name": "recurrence",
        "place": "body",
        "type": "text",
        "about": "a rule of RFC 5545 with FREQ (DAILY, WEEKLY or MONTHLY), INTERVAL and BYDAY, for example FREQ=WEEKLY;BYDAY=MO,TH. Completing the task creates the next one"
      },
      {
        "name": "disposition",
        "place": "body",
        "type": "text",
        "about": "the outcome of the task"
      },
      {
        "name": "snooze_until",
        "place": "body",
        "type": "text",
        "about": "a future time: the task is snoozed until this time"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "tasks.listComments",
    "command": "tasks list-comments",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/tasks/{task_id}/comments",
    "about": "list the comments on a task, oldest first",
    "example": "leadloom tasks list-comments task_06bxra7mqqsj45yd3efssqvren \\\n    --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "task_id",
        "place": "path",
        "type": "text",
        "about": "task id (task_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "comments"
    ]
  },
  {
    "id": "tasks.comment",
    "command": "tasks comment",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/tasks/{task_id}/comments",
    "about": "comment on a task",
    "example": "leadloom tasks comment task_06bxra7mqqsj45yd3efssqvren --tenant demo \\\n    --body 'Take photographs of the chimney.'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "task_id",
        "place": "path",
        "type": "text",
        "about": "task id (task_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "body",
        "place": "body",
        "type": "text",
        "about": "plain text or Markdown, at most 5000 characters"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "tasks.callbacks",
    "command": "tasks callbacks",
    "method": "GET",
    "path": "/api/v1/callbacks",
    "about": "list tasks; former path",
    "example": "leadloom tasks callbacks --tenant demo --limit 1",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "status",
        "place": "query",
        "type": "text",
        "choices": [
          "open",
          "snoozed",
          "done"
        ],
        "about": "default: open"
      },
      {
        "name": "type",
        "place": "query",
        "type": "text",
        "choices": [
          "reply_approval",
          "callback",
          "follow_up",
          "review"
        ],
        "about": "only tasks of this type"
      },
      {
        "name": "priority",
        "place": "query",
        "type": "text",
        "choices": [
          "low",
          "normal",
          "high",
          "urgent"
        ],
        "about": "only tasks of this priority"
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this contact"
      },
      {
        "name": "lead_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this lead"
      },
      {
        "name": "assignee_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this user"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only tasks of this team"
      },
      {
        "name": "due_after",
        "place": "query",
        "type": "text",
        "about": "only tasks that are due at or after this time (ISO 8601)"
      },
      {
        "name": "due_before",
        "place": "query",
        "type": "text",
        "about": "only tasks that are due before this time (ISO 8601)"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "sort",
        "place": "query",
        "type": "text",
        "choices": [
          "due_at",
          "-priority",
          "priority"
        ],
        "about": "due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "tasks"
    ]
  },
  {
    "id": "users.list",
    "command": "users list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/users",
    "about": "list the users of a tenant, oldest first",
    "example": "leadloom users list --tenant demo --active --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "active",
        "place": "query",
        "type": "boolean",
        "about": "true: only active users; false: only deactivated users. Default: all users"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "users"
    ]
  },
  {
    "id": "users.create",
    "command": "users create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/users",
    "about": "create a user",
    "example": "leadloom users create --tenant demo --name 'Ann Baker' \\\n    --email ann@larkspur.example --role agent",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the display name of the person; 1 to 200 characters"
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "the address of the person; no other user of the tenant has it"
      },
      {
        "name": "role",
        "place": "body",
        "type": "text",
        "choices": [
          "agent",
          "manager",
          "admin"
        ],
        "about": "default: agent"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "about": "IANA time zone, for example Europe/Berlin"
      },
      {
        "name": "signature",
        "place": "body",
        "type": "text",
        "about": "the person's own signature for answers, as plain text"
      }
    ],
    "body": {
      "more": [
        "working_hours"
      ]
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "users.me",
    "command": "users me",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/users/me",
    "about": "read the user as whom the credential acts",
    "example": "leadloom users me --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "users.updateMe",
    "command": "users update-me",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/users/me",
    "about": "change the name, working hours, time zone or signature of the caller's own user",
    "example": "leadloom users update-me --tenant demo \\\n    --signature 'Ann from Larkspur Roofing' --data @body.json",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the display name of the person; 1 to 200 characters"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "about": "IANA time zone, for example Europe/Berlin"
      },
      {
        "name": "signature",
        "place": "body",
        "type": "text",
        "about": "the person's own signature for answers, as plain text"
      }
    ],
    "body": {
      "more": [
        "working_hours"
      ]
    },
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "users.get",
    "command": "users get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/users/{user_id}",
    "about": "read a user",
    "example": "leadloom users get usr_06bxrxf7pgdecnr9vmr1ngz08p --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "user_id",
        "place": "path",
        "type": "text",
        "about": "user id (usr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "users.update",
    "command": "users update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/users/{user_id}",
    "about": "change a user, or activate the user again",
    "example": "leadloom users update usr_06bxrxf7pgdecnr9vmr1ngz08p --tenant demo \\\n    --role manager",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "user_id",
        "place": "path",
        "type": "text",
        "about": "user id (usr_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the display name of the person; 1 to 200 characters"
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "the address of the person in lower case, unique among the users of a tenant"
      },
      {
        "name": "role",
        "place": "body",
        "type": "text",
        "choices": [
          "agent",
          "manager",
          "admin"
        ],
        "about": "the role of the person in this tenant. An ID token with another role changes it; a credential's own role decides its rights"
      },
      {
        "name": "active",
        "place": "body",
        "type": "boolean",
        "about": "false: sessions and ID tokens of the person are rejected for this tenant, and no work is assigned"
      },
      {
        "name": "time_zone",
        "place": "body",
        "type": "text",
        "about": "IANA time zone, for example Europe/Berlin"
      },
      {
        "name": "signature",
        "place": "body",
        "type": "text",
        "about": "the person's own signature for answers, as plain text"
      }
    ],
    "body": {
      "more": [
        "working_hours"
      ]
    },
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "users.deactivate",
    "command": "users deactivate",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/users/{user_id}",
    "about": "deactivate a user",
    "example": "leadloom users deactivate usr_06bxr1gbncxkm098mf2vypmraa --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "user_id",
        "place": "path",
        "type": "text",
        "about": "user id (usr_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "reports.get",
    "command": "reports get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/reports/{name}",
    "about": "read a report: message volume, response and resolution times, outcomes of the automation, conversion or tiers of leads, or deliveries",
    "example": "leadloom reports get volume --tenant demo --group-by channel",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "path",
        "type": "text",
        "choices": [
          "volume",
          "response_times",
          "automation",
          "resolution_times",
          "conversion",
          "tiers",
          "deliveries"
        ],
        "about": "the name of the report",
        "argument": true,
        "required": true
      },
      {
        "name": "from",
        "place": "query",
        "type": "text",
        "about": "the first day, in the tenant's time zone. Default: 29 days before to"
      },
      {
        "name": "to",
        "place": "query",
        "type": "text",
        "about": "the last day, at most 399 days after from. Default: today"
      },
      {
        "name": "group_by",
        "place": "query",
        "type": "text",
        "choices": [
          "day",
          "channel",
          "user",
          "source",
          "team",
          "tag",
          "pipeline"
        ],
        "about": "default: day. With tag, a conversation counts once for each of its tags, and conversations without tags are omitted. Only conversion has the group pipeline"
      },
      {
        "name": "channel",
        "place": "query",
        "type": "text",
        "choices": [
          "email",
          "sms",
          "voice",
          "chat",
          "webhook"
        ],
        "about": "only this channel"
      },
      {
        "name": "user_id",
        "place": "query",
        "type": "text",
        "about": "only messages and closings of this user (usr_…)"
      },
      {
        "name": "team_id",
        "place": "query",
        "type": "text",
        "about": "only conversations that this team has now (team_…)"
      },
      {
        "name": "tag",
        "place": "query",
        "type": "text",
        "about": "only conversations that have this tag now"
      },
      {
        "name": "format",
        "place": "query",
        "type": "text",
        "choices": [
          "json",
          "csv"
        ],
        "about": "csv: one line per row, safe to open in a spreadsheet. Default: json"
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "teams.list",
    "command": "teams list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/teams",
    "about": "list the teams of a tenant, oldest first",
    "example": "leadloom teams list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "teams"
    ]
  },
  {
    "id": "teams.create",
    "command": "teams create",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/teams",
    "about": "create a team",
    "example": "leadloom teams create --tenant demo --name Repairs \\\n    --member-ids usr_06bxrxf7pgdecnr9vmr1ngz08p",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the team, unique in the tenant; 1 to 200 characters"
      },
      {
        "name": "member_ids",
        "place": "body",
        "type": "list",
        "about": "the ids of all members, at most 500"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "teams.get",
    "command": "teams get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/teams/{team_id}",
    "about": "read a team",
    "example": "leadloom teams get team_06bxrw51cwjfdhpwfwct5pb1e8 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "team_id",
        "place": "path",
        "type": "text",
        "about": "team id (team_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant"
  },
  {
    "id": "teams.update",
    "command": "teams update",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/teams/{team_id}",
    "about": "change the name or the members of a team",
    "example": "leadloom teams update team_06bxrw51cwjfdhpwfwct5pb1e8 --tenant demo \\\n    --name 'Urgent repairs'",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "team_id",
        "place": "path",
        "type": "text",
        "about": "team id (team_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the name of the team, unique in the tenant; 1 to 200 characters"
      },
      {
        "name": "member_ids",
        "place": "body",
        "type": "list",
        "about": "the ids of all members, at most 500"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "teams.remove",
    "command": "teams remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/teams/{team_id}",
    "about": "delete a team",
    "example": "leadloom teams remove team_06bxrw51cwjfdhpwfwct5pb1e8 --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "team_id",
        "place": "path",
        "type": "text",
        "about": "team id (team_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "search.search",
    "command": "search",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/search",
    "about": "search contacts, conversations and private notes",
    "example": "leadloom search roof --tenant demo --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "query",
        "place": "body",
        "type": "text",
        "about": "words or parts of a phone number or an email address. The last word may be incomplete. Accents and case are ignored, and there is no query syntax. Only the first 1,000 characters are used",
        "argument": true
      },
      {
        "name": "deep",
        "place": "body",
        "type": "boolean",
        "about": "true: search all messages. false: search only the messages of the last six months. Contacts and notes are always searched completely"
      },
      {
        "name": "types",
        "place": "body",
        "type": "list",
        "choices": [
          "contacts",
          "conversations",
          "notes"
        ],
        "about": "the types to search; default: all"
      },
      {
        "name": "limit",
        "place": "body",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "hits of each type per page; default: 20"
      },
      {
        "name": "cursor",
        "place": "body",
        "type": "text",
        "about": "the next_cursor of the previous page. query, types and deep must be the same as in the request for that page"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "items": [
      "contacts",
      "conversations",
      "notes"
    ],
    "idempotent": true,
    "keyless": "read-only"
  },
  {
    "id": "email.autoconfig",
    "command": "email autoconfig",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/email/autoconfig",
    "about": "suggest the mail servers of an address; 60 searches per hour",
    "example": "leadloom email autoconfig --tenant demo --email larkspur@gmail.com",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "email",
        "place": "query",
        "type": "text",
        "about": "the address of the mailbox",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "email.getGrant",
    "command": "email grant",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/email/grants/{grant_id}",
    "about": "show the status of a connected account",
    "example": "leadloom email grant grant_06bxrwjaw3xws87twvjn57ed1t --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "grant_id",
        "place": "path",
        "type": "text",
        "about": "id of the connected account (grant_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "email.authUrl",
    "command": "email auth-url",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/email/auth-url",
    "about": "get the URL at which the account's owner grants access; the URL is valid once, for ten minutes",
    "example": "leadloom email auth-url --tenant demo --provider google",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "provider",
        "place": "query",
        "type": "text",
        "choices": [
          "google",
          "microsoft"
        ],
        "about": "the family of the account. Default: the owner chooses at the provider"
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "email.callback",
    "command": "email callback",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/email/callback",
    "about": "exchange the authorization code of the account's owner for a connected account",
    "example": "leadloom email callback --tenant demo --code-file secret.txt \\\n    --state the-state-of-the-url",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "code",
        "place": "body",
        "type": "text",
        "about": "the authorization code of the redirect",
        "secret": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "about": "the state parameter of the redirect"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "dataRights.exportContact",
    "command": "data-rights export-contact",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/export",
    "about": "export all data of a contact as a tar archive of JSON Lines files and emails",
    "example": "leadloom data-rights export-contact con_06bxrsk0bnq054a0pr285nk6sj \\\n    --tenant demo --out export.tar",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "operator"
  },
  {
    "id": "dataRights.erase",
    "command": "data-rights erase",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/contacts/{contact_id}/erase",
    "about": "erase a contact and all its data permanently; a repeated request continues an interrupted erasure",
    "example": "leadloom data-rights erase con_06bxrfthe7qzbpwn5nrdaegns4 --tenant demo \\\n    --confirm con_06bxrfthe7qzbpwn5nrdaegns4",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      },
      {
        "name": "confirm",
        "place": "body",
        "type": "text",
        "about": "the id of the contact, repeated to prevent an erasure by accident"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "dataRights.listErasures",
    "command": "data-rights list-erasures",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/erasures",
    "about": "list the receipts of erased contacts, newest first",
    "example": "leadloom data-rights list-erasures --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 50"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "erasures"
    ]
  },
  {
    "id": "dataRights.exportTenant",
    "command": "data-rights export-tenant",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/export",
    "about": "export all data of the tenant as a tar archive of JSON Lines files and emails",
    "example": "leadloom data-rights export-tenant --tenant demo --out export.tar",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "file",
    "credential": "operator"
  },
  {
    "id": "dataRights.importArchive",
    "command": "data-rights import-archive",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/import",
    "about": "import an export with the same ids and content; the messages are treated as history and receive no replies",
    "example": "leadloom data-rights import-archive --tenant demo --data @archive.tar",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "body": {
      "type": "application/x-tar"
    },
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "webhooks.get",
    "command": "webhooks get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/webhooks/{webhook_id}",
    "about": "read a subscription",
    "example": "leadloom webhooks get whk_06bxrwwn505p3pxr4cpzkkvegg --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "webhook_id",
        "place": "path",
        "type": "text",
        "about": "id of the subscription (whk_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "eventFeed.list",
    "command": "events list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/events",
    "about": "list outbound events in order and without gaps, in the format of webhook deliveries",
    "example": "leadloom events list --tenant demo --after 0 --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "after",
        "place": "query",
        "type": "number",
        "about": "the sequence number of the last event that the caller has processed; default: 0"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          500
        ],
        "about": "the entries per page, 1 to 500. Default: 100"
      },
      {
        "name": "types",
        "place": "query",
        "type": "text",
        "about": "event types, separated by commas; default: all"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "events"
    ],
    "cursor": "after"
  },
  {
    "id": "eventFeed.createTicket",
    "command": "events create-ticket",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/events/ticket",
    "about": "create a ticket with which a browser's EventSource opens the event stream once",
    "example": "leadloom events create-ticket --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "tenant",
    "idempotent": true,
    "keyless": "read-only"
  },
  {
    "id": "eventFeed.stream",
    "command": "events stream",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/events/stream",
    "about": "stream outbound events as server-sent events",
    "example": "leadloom events stream --tenant demo --after 0 --no-follow \\\n    --types lead.received",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "after",
        "place": "query",
        "type": "number",
        "about": "the sequence number of the last event that the caller has processed; default: only new events are sent"
      },
      {
        "name": "ticket",
        "place": "query",
        "type": "text",
        "about": "a ticket of POST …/events/ticket instead of the header Authorization"
      },
      {
        "name": "follow",
        "place": "query",
        "type": "boolean",
        "about": "false: the stream ends after all existing events are sent"
      },
      {
        "name": "types",
        "place": "query",
        "type": "text",
        "about": "event types, separated by commas; default: all"
      },
      {
        "name": "presence",
        "place": "query",
        "type": "boolean",
        "about": "true: the stream also carries conversation.presence, a report of presence without id. It is not stored, so it is not repeated after a reconnect. Default: false"
      }
    ],
    "result": "events",
    "credential": "tenant"
  },
  {
    "id": "audit.list",
    "command": "audit list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/audit",
    "about": "list privileged actions in this tenant, newest first",
    "example": "leadloom audit list --tenant demo --limit 2",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "actor",
        "place": "query",
        "type": "text",
        "about": "only actions of this caller, for example admin or user:<subject>; the whole name"
      },
      {
        "name": "action",
        "place": "query",
        "type": "text",
        "about": "only actions of this name, for example apiKeys.create"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 50"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "entries"
    ]
  },
  {
    "id": "audit.listDeployment",
    "command": "audit list-deployment",
    "method": "GET",
    "path": "/api/v1/admin/audit",
    "about": "list privileged actions on the deployment as a whole, newest first",
    "example": "leadloom audit list-deployment --limit 2",
    "fields": [
      {
        "name": "actor",
        "place": "query",
        "type": "text",
        "about": "only actions of this caller, for example admin or user:<subject>; the whole name"
      },
      {
        "name": "action",
        "place": "query",
        "type": "text",
        "about": "only actions of this name, for example apiKeys.create"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: 50"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "entries"
    ]
  },
  {
    "id": "deployment.doctor",
    "command": "system doctor",
    "method": "GET",
    "path": "/api/v1/admin/doctor",
    "about": "check the deployment as leadloom doctor does",
    "example": "leadloom system doctor",
    "fields": [],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "deployment.queues",
    "command": "system queues",
    "method": "GET",
    "path": "/api/v1/admin/queues",
    "about": "show the depth, age and failures of the queues of all tenants",
    "example": "leadloom system queues",
    "fields": [],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "deployment.providers",
    "command": "system providers",
    "method": "GET",
    "path": "/api/v1/admin/providers",
    "about": "show whether the external providers answer this server",
    "example": "leadloom system providers",
    "fields": [],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "publicLeads.submit",
    "command": "public-leads submit",
    "method": "POST",
    "path": "/api/v1/public/leads/{tenant_id}",
    "about": "submit the form of a tenant; a browser without JavaScript receives a redirect (303)",
    "example": "leadloom public-leads submit --tenant demo --name 'Iris Cole' \\\n    --email iris.cole@example.net \\\n    --message 'Moss on the north side of the roof. What does cleaning cos…' \\\n    --consent true --consent-text 'You may contact me about my enquiry.' \\\n    --submission-id form-5521",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "name",
        "place": "body",
        "type": "text",
        "about": "the full name"
      },
      {
        "name": "first_name",
        "place": "body",
        "type": "text",
        "about": "the first name, used without name"
      },
      {
        "name": "last_name",
        "place": "body",
        "type": "text",
        "about": "the last name, used without name"
      },
      {
        "name": "email",
        "place": "body",
        "type": "text",
        "about": "an email address. At least one of email, phone and contact must contain an email address or a phone number"
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "a phone number with a country code, or a number without one in the tenant's country"
      },
      {
        "name": "contact",
        "place": "body",
        "type": "text",
        "about": "an email address or a phone number"
      },
      {
        "name": "company",
        "place": "body",
        "type": "text",
        "about": "the business of the visitor"
      },
      {
        "name": "subject",
        "place": "body",
        "type": "text",
        "about": "the subject of the enquiry"
      },
      {
        "name": "message",
        "place": "body",
        "type": "text",
        "about": "the text of the enquiry"
      },
      {
        "name": "consent",
        "place": "body",
        "type": "text",
        "about": "whether the visitor ticked the consent box"
      },
      {
        "name": "consent_text",
        "place": "body",
        "type": "text",
        "about": "the text next to the consent box. It is stored with the time and a hash of the network address"
      },
      {
        "name": "submission_id",
        "place": "body",
        "type": "text",
        "about": "the id of the submission; a repetition with the same content has no further effect"
      },
      {
        "name": "proof",
        "place": "body",
        "type": "text",
        "about": "the challenge, a full stop and its solution; or the Turnstile token"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "none",
    "idempotent": true,
    "keyless": "natural-key"
  },
  {
    "id": "publicLeads.challenge",
    "command": "public-leads challenge",
    "method": "GET",
    "path": "/api/v1/public/leads/{tenant_id}/challenge",
    "about": "read the requirements of a form, including its challenge",
    "example": "leadloom public-leads challenge --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "none"
  },
  {
    "id": "locations.list",
    "command": "locations list",
    "method": "GET",
    "path": "/api/v1/admin/locations",
    "about": "list CRM locations and their tenants",
    "example": "leadloom locations list",
    "fields": [
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: all entries on one page"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "locations"
    ]
  },
  {
    "id": "locations.put",
    "command": "locations put",
    "method": "PUT",
    "path": "/api/v1/admin/locations",
    "about": "assign a location to a tenant and set its session mode",
    "example": "leadloom locations put --location-id Qk3vTz8LmN2pXa --tenant demo \\\n    --sessions sso",
    "fields": [
      {
        "name": "location_id",
        "place": "body",
        "type": "text",
        "about": "the CRM's id of the location; up to 128 letters, digits, dots, colons, dashes and underscores"
      },
      {
        "name": "tenant_id",
        "place": "body",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      },
      {
        "name": "sessions",
        "place": "body",
        "type": "text",
        "choices": [
          "open",
          "sso",
          "off"
        ],
        "about": "the callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off)"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "locations.remove",
    "command": "locations remove",
    "method": "DELETE",
    "path": "/api/v1/admin/locations/{location_id}",
    "about": "remove a location. The location then provides no sessions and runs no actions",
    "example": "leadloom locations remove Qk3vTz8LmN2pXa",
    "fields": [
      {
        "name": "location_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the location",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "crm.authUrl",
    "command": "crm auth-url",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/crm/auth-url",
    "about": "get the URL at which the location's owner grants access; the URL is valid once, for ten minutes",
    "example": "leadloom crm auth-url --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "crm.callback",
    "command": "crm callback",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/crm/callback",
    "about": "finish an installation with the authorization code and assign the location to the tenant",
    "example": "leadloom crm callback --tenant demo --code-file secret.txt \\\n    --state the-state-of-the-url",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "code",
        "place": "body",
        "type": "text",
        "about": "the authorization code",
        "secret": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "about": "the state parameter of the URL that this server created"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "crm.listInstalls",
    "command": "crm list-installs",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/crm/installs",
    "about": "list the connected CRM locations of this tenant, oldest first",
    "example": "leadloom crm list-installs --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "crm.updateInstall",
    "command": "crm update-install",
    "method": "PATCH",
    "path": "/api/v1/tenants/{tenant_id}/crm/installs/{location_id}",
    "about": "set the sync mode of a location",
    "example": "leadloom crm update-install Qk3vTz8LmN2pXa --tenant demo --sync both",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "location_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the location",
        "argument": true,
        "required": true
      },
      {
        "name": "sync",
        "place": "body",
        "type": "text",
        "choices": [
          "off",
          "to_crm",
          "both"
        ],
        "about": "off: no synchronisation; to_crm: changes on this server are copied to the CRM; both: changes on each side are copied to the other side"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "crm.removeInstall",
    "command": "crm remove-install",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/crm/installs/{location_id}",
    "about": "delete the tokens of a location; all requests to it stop",
    "example": "leadloom crm remove-install Qk3vTz8LmN2pXa --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "location_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the location",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "crm.syncInstall",
    "command": "crm sync-install",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/crm/installs/{location_id}/sync",
    "about": "repeat the first sync of all contacts of a location",
    "example": "leadloom crm sync-install Qk3vTz8LmN2pXa --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "location_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the location",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "agencies.authUrl",
    "command": "agencies auth-url",
    "method": "GET",
    "path": "/api/v1/admin/crm/auth-url",
    "about": "get the URL at which the agency's owner grants access; the URL is valid once, for ten minutes",
    "example": "leadloom agencies auth-url",
    "fields": [],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "agencies.callback",
    "command": "agencies callback",
    "method": "POST",
    "path": "/api/v1/admin/crm/callback",
    "about": "finish the installation of an agency and open its locations that are assigned to tenants",
    "example": "leadloom agencies callback --code-file secret.txt \\\n    --state the-state-of-the-url",
    "fields": [
      {
        "name": "code",
        "place": "body",
        "type": "text",
        "about": "the authorization code",
        "secret": true
      },
      {
        "name": "state",
        "place": "body",
        "type": "text",
        "about": "the state parameter of the URL that this server created"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "agencies.list",
    "command": "agencies list",
    "method": "GET",
    "path": "/api/v1/admin/crm/agencies",
    "about": "list connected agencies, oldest first",
    "example": "leadloom agencies list",
    "fields": [
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          250
        ],
        "about": "the entries per page, 1 to 250. Default: all entries on one page"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "agencies"
    ]
  },
  {
    "id": "agencies.locations",
    "command": "agencies locations",
    "method": "GET",
    "path": "/api/v1/admin/crm/agencies/{company_id}/locations",
    "about": "list the current locations of an agency in the CRM, with their tenants",
    "example": "leadloom agencies locations Yd81kLpQ0sRn",
    "fields": [
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the agency",
        "argument": true,
        "required": true
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the locations per page, 1 to 100. Default: 20"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "locations"
    ]
  },
  {
    "id": "agencies.remove",
    "command": "agencies remove",
    "method": "DELETE",
    "path": "/api/v1/admin/crm/agencies/{company_id}",
    "about": "delete the tokens of an agency and, shortly afterwards, those of its locations",
    "example": "leadloom agencies remove Yd81kLpQ0sRn",
    "fields": [
      {
        "name": "company_id",
        "place": "path",
        "type": "text",
        "about": "the CRM's id of the agency",
        "argument": true,
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "smsFilters.blocklist",
    "command": "sms-filters blocklist",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/sms-filters/blocklist",
    "about": "list blocked phone numbers",
    "example": "leadloom sms-filters blocklist --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          1000
        ],
        "about": "the entries per page, 1 to 1000. Default: 250"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "blocklist"
    ]
  },
  {
    "id": "smsFilters.block",
    "command": "sms-filters block",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/sms-filters/blocklist",
    "about": "block a phone number: its messages receive no reply, and no message is sent to it",
    "example": "leadloom sms-filters block --tenant demo --phone +12025550166",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "a phone number with its country code, or a national number of the tenant's country"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator",
    "idempotent": true
  },
  {
    "id": "smsFilters.unblock",
    "command": "sms-filters unblock",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/sms-filters/blocklist",
    "about": "remove a phone number from the blocklist",
    "example": "leadloom sms-filters unblock --tenant demo --phone +12025550166",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "a phone number with its country code, or a national number of the tenant's country"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "phoneNumbers.list",
    "command": "phone-numbers list",
    "method": "GET",
    "path": "/api/v1/admin/phone-numbers",
    "about": "list the phone numbers of all tenants",
    "example": "leadloom phone-numbers list",
    "fields": [
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          1000
        ],
        "about": "the entries per page, 1 to 1000. Default: 250"
      }
    ],
    "result": "json",
    "credential": "operator",
    "items": [
      "phone_numbers"
    ]
  },
  {
    "id": "phoneNumbers.assign",
    "command": "phone-numbers assign",
    "method": "PUT",
    "path": "/api/v1/admin/phone-numbers",
    "about": "assign a number of the provider's account to a tenant",
    "example": "leadloom phone-numbers assign --phone +12025550199 --tenant demo \\\n    --default",
    "fields": [
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "a phone number with its country code, or a national number of the tenant's country"
      },
      {
        "name": "tenant_id",
        "place": "body",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      },
      {
        "name": "default",
        "place": "body",
        "type": "boolean",
        "about": "use this number as the sender if no other setting selects one. If no number has this setting, the oldest number is the sender"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "phoneNumbers.release",
    "command": "phone-numbers release",
    "method": "DELETE",
    "path": "/api/v1/admin/phone-numbers",
    "about": "remove a number from its tenant",
    "example": "leadloom phone-numbers release --phone +12025550199",
    "fields": [
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "a phone number with its country code, or a national number of the tenant's country"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "assistant.get",
    "command": "assistant get",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/assistant",
    "about": "show the authentication methods of the tenant's voice assistants, without the secrets",
    "example": "leadloom assistant get --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "assistant.remove",
    "command": "assistant remove",
    "method": "DELETE",
    "path": "/api/v1/tenants/{tenant_id}/assistant",
    "about": "revoke the access of all voice assistants of the tenant",
    "example": "leadloom assistant remove --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "assistant.makeSecret",
    "command": "assistant make-secret",
    "method": "PUT",
    "path": "/api/v1/tenants/{tenant_id}/assistant/secret",
    "about": "create the secret for /voice/assistant/{tenant_id}/tools; the previous secret stops working immediately",
    "example": "leadloom assistant make-secret --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      }
    ],
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "assistant.setRetellKey",
    "command": "assistant set-retell-key",
    "method": "PUT",
    "path": "/api/v1/tenants/{tenant_id}/assistant/retell-key",
    "about": "set the key that Retell signs its requests with",
    "example": "leadloom assistant set-retell-key --tenant demo \\\n    --retell-key-file secret.txt",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "api_key",
        "place": "body",
        "type": "text",
        "about": "the Retell API key that is marked with the webhook badge in Retell's dashboard; stored encrypted",
        "secret": true,
        "option": "retell-key"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "operator"
  },
  {
    "id": "calls.list",
    "command": "calls list",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/calls",
    "about": "list calls, newest first",
    "example": "leadloom calls list --tenant demo",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "query",
        "type": "text",
        "about": "only calls with this contact"
      },
      {
        "name": "status",
        "place": "query",
        "type": "text",
        "choices": [
          "queued",
          "ringing",
          "in_progress",
          "completed",
          "busy",
          "no_answer",
          "canceled",
          "failed",
          "unknown"
        ],
        "about": "only calls with this status"
      },
      {
        "name": "direction",
        "place": "query",
        "type": "text",
        "choices": [
          "inbound",
          "outbound"
        ],
        "about": "only calls that the contact (inbound) or the tenant (outbound) started"
      },
      {
        "name": "limit",
        "place": "query",
        "type": "number",
        "range": [
          1,
          100
        ],
        "about": "the entries per page, 1 to 100. Default: 50"
      },
      {
        "name": "cursor",
        "place": "query",
        "type": "text",
        "about": "the next_cursor of the previous page. Default: the first page. A malformed cursor is rejected with 400"
      }
    ],
    "result": "json",
    "credential": "tenant",
    "items": [
      "calls"
    ]
  },
  {
    "id": "calls.recording",
    "command": "calls recording",
    "method": "GET",
    "path": "/api/v1/tenants/{tenant_id}/calls/{contact_id}/recording",
    "about": "download the newest recording of a contact's calls as audio",
    "example": "leadloom calls recording con_06bxrsk0bnq054a0pr285nk6sj --tenant demo \\\n    --out recording.mp3",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "path",
        "type": "text",
        "about": "contact id (con_…)",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "tenant"
  },
  {
    "id": "calls.outbound",
    "command": "calls outbound",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/calls/outbound",
    "about": "call a contact: the agent's phone rings first, then the contact's",
    "example": "leadloom calls outbound --tenant demo \\\n    --contact-id con_06bxrsk0bnq054a0pr285nk6sj \\\n    --agent-phone +12025550100",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "contact_id",
        "place": "body",
        "type": "text",
        "about": "the contact to call. Exactly one of contact_id and phone is required"
      },
      {
        "name": "phone",
        "place": "body",
        "type": "text",
        "about": "instead of contact_id: the phone number of the contact. A missing contact is created"
      },
      {
        "name": "agent_phone",
        "place": "body",
        "type": "text",
        "about": "the agent's phone, which rings first. Default: voice.forward_to of the configuration"
      },
      {
        "name": "record",
        "place": "body",
        "type": "boolean",
        "about": "default: voice.record of the configuration"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "calls.transfer",
    "command": "calls transfer",
    "method": "POST",
    "path": "/api/v1/tenants/{tenant_id}/calls/{call_session_id}/transfer",
    "about": "transfer the contact of a call in progress to another person",
    "example": "leadloom calls transfer call_06bxr6pmexbmc9vxz2p0qwk6n9 --tenant demo \\\n    --to +12025550101",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "call_session_id",
        "place": "path",
        "type": "text",
        "about": "call id (call_…), the call_session_id of the call",
        "argument": true,
        "required": true
      },
      {
        "name": "to",
        "place": "body",
        "type": "text",
        "about": "the phone number of the person who takes over; with its country code, or a national number of the tenant's country"
      }
    ],
    "body": {},
    "result": "json",
    "credential": "tenant",
    "idempotent": true
  },
  {
    "id": "crmActions.run",
    "command": "crm-actions run",
    "method": "POST",
    "path": "/api/v1/actions/crm/{action_key}",
    "about": "run an action of a CRM workflow for its contact",
    "example": "leadloom crm-actions run add_tag --data @body.json",
    "fields": [
      {
        "name": "action_key",
        "place": "path",
        "type": "text",
        "about": "create_or_update_contact, add_tag, score_lead, run_pipeline, send_message or create_task",
        "argument": true,
        "required": true
      }
    ],
    "body": {
      "more": [
        "data",
        "extras",
        "meta"
      ]
    },
    "result": "json",
    "credential": "integration",
    "idempotent": true
  },
  {
    "id": "crmActions.runAlias",
    "command": "crm-actions run-alias",
    "method": "POST",
    "path": "/api/v1/actions/{action_key}",
    "about": "run an action of a CRM workflow; former path",
    "example": "leadloom crm-actions run-alias add_tag --data @body.json",
    "fields": [
      {
        "name": "action_key",
        "place": "path",
        "type": "text",
        "about": "create_or_update_contact, add_tag, score_lead, run_pipeline, send_message or create_task",
        "argument": true,
        "required": true
      }
    ],
    "body": {
      "more": [
        "data",
        "extras",
        "meta"
      ]
    },
    "result": "json",
    "credential": "integration",
    "idempotent": true
  },
  {
    "id": "docs.openApi",
    "command": "docs openapi",
    "method": "GET",
    "path": "/api/v1/openapi.json",
    "about": "this document",
    "example": "leadloom docs openapi",
    "fields": [],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "docs.rootOpenApi",
    "command": "docs root-openapi",
    "method": "GET",
    "path": "/openapi.json",
    "about": "this document, at the place where tools look for it",
    "example": "leadloom docs root-openapi",
    "fields": [],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "docs.page",
    "command": "docs page",
    "method": "GET",
    "path": "/api/v1/docs",
    "about": "show this document as a page with search, examples and requests; it works offline",
    "example": "leadloom docs page",
    "fields": [],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "unsubscribe.page",
    "command": "unsubscribe page",
    "method": "GET",
    "path": "/api/v1/public/unsubscribe/{token}",
    "about": "show the page on which the recipient of an email opts out. Changes nothing",
    "example": "leadloom unsubscribe page the-token",
    "fields": [
      {
        "name": "token",
        "place": "path",
        "type": "text",
        "about": "the sealed token in the link of the email",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "unsubscribe.confirm",
    "command": "unsubscribe confirm",
    "method": "POST",
    "path": "/api/v1/public/unsubscribe/{token}",
    "about": "opt the recipient of an email out of all emails of the tenant. The body is ignored, and a repetition has no effect",
    "example": "leadloom unsubscribe confirm the-token",
    "fields": [
      {
        "name": "token",
        "place": "path",
        "type": "text",
        "about": "the sealed token in the link of the email",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "trackedLinks.open",
    "command": "sequences open-link",
    "method": "GET",
    "path": "/api/v1/public/links/{token}",
    "about": "redirect to the URL of a link in an email, and record that it was opened",
    "example": "leadloom sequences open-link the-token",
    "fields": [
      {
        "name": "token",
        "place": "path",
        "type": "text",
        "about": "the sealed token in the link of the email",
        "argument": true,
        "required": true
      }
    ],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "nylas.challenge",
    "command": "providers nylas-challenge",
    "method": "GET",
    "path": "/api/v1/webhook/providers/nylas",
    "about": "return the challenge of Nylas, which proves that this endpoint exists",
    "example": "leadloom providers nylas-challenge --challenge the-challenge",
    "fields": [
      {
        "name": "challenge",
        "place": "query",
        "type": "text",
        "about": "a text that the response repeats unchanged",
        "required": true
      }
    ],
    "result": "file",
    "credential": "none"
  },
  {
    "id": "nylas.notice",
    "command": "providers nylas",
    "method": "POST",
    "path": "/api/v1/webhook/providers/nylas",
    "about": "receive events of connected email accounts",
    "example": "leadloom providers nylas --data @body.txt",
    "fields": [
      {
        "name": "X-Nylas-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/json"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "stripe.notice",
    "command": "providers stripe",
    "method": "POST",
    "path": "/api/v1/webhook/providers/stripe",
    "about": "receive payment events",
    "example": "leadloom providers stripe --data @body.txt",
    "fields": [
      {
        "name": "Stripe-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/json"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "highLevel.notice",
    "command": "providers highlevel",
    "method": "POST",
    "path": "/api/v1/webhook/providers/highlevel",
    "about": "receive events of CRM locations",
    "example": "leadloom providers highlevel --data @body.txt",
    "fields": [
      {
        "name": "X-GHL-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/json"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.text",
    "command": "providers twilio-text",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/sms",
    "about": "receive an inbound text message",
    "example": "leadloom providers twilio-text --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.textStatus",
    "command": "providers twilio-text-status",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/status",
    "about": "receive the delivery status of an outbound text message",
    "example": "leadloom providers twilio-text-status --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.call",
    "command": "providers twilio-call",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/voice",
    "about": "receive an inbound call; the response is TwiML for the caller",
    "example": "leadloom providers twilio-call --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.callStatus",
    "command": "providers twilio-call-status",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/call-status",
    "about": "receive the status of a call",
    "example": "leadloom providers twilio-call-status --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.dialed",
    "command": "providers twilio-dialed",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/dialed",
    "about": "receive the end of a forwarded call",
    "example": "leadloom providers twilio-dialed --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "twilio.recording",
    "command": "providers twilio-recording",
    "method": "POST",
    "path": "/api/v1/webhook/providers/twilio/recording",
    "about": "receive a completed recording",
    "example": "leadloom providers twilio-recording --data @body.txt",
    "fields": [
      {
        "name": "X-Twilio-Signature",
        "place": "header",
        "type": "text",
        "about": "the provider's signature over the request"
      }
    ],
    "body": {
      "type": "application/x-www-form-urlencoded"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "assistantTools.call",
    "command": "assistant call-tool",
    "method": "POST",
    "path": "/api/v1/voice/assistant/{tenant_id}/tools",
    "about": "call a tool or report the end of a call; accepts Vapi messages, Retell custom functions and Retell call events",
    "example": "leadloom assistant call-tool --tenant demo --data @body.txt",
    "fields": [
      {
        "name": "tenant_id",
        "place": "path",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)",
        "required": true
      },
      {
        "name": "X-Assistant-Secret",
        "place": "header",
        "type": "text",
        "about": "the secret of the tenant's voice assistants. Retell signs with its own key instead",
        "secret": true
      }
    ],
    "body": {
      "type": "application/json"
    },
    "result": "file",
    "credential": "none",
    "keyless": "not-accepted"
  },
  {
    "id": "mcp.call",
    "command": "mcp-http call",
    "method": "POST",
    "path": "/mcp",
    "about": "call a tool or list the tools that the credential permits (streamable HTTP)",
    "example": "leadloom mcp-http call --data @body.txt",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      }
    ],
    "body": {
      "type": "application/json"
    },
    "result": "file",
    "credential": "integration",
    "keyless": "not-accepted"
  },
  {
    "id": "mcp.endSession",
    "command": "mcp-http end-session",
    "method": "DELETE",
    "path": "/mcp",
    "about": "end a session of an MCP client",
    "example": "leadloom mcp-http end-session",
    "fields": [
      {
        "name": "tenant_id",
        "place": "query",
        "type": "text",
        "about": "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
      }
    ],
    "result": "json",
    "credential": "integration"
  }
]
