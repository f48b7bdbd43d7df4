import { defaultConfig } from "../TenantConfig.ts"
import {
  byHand,
  everyBusiness,
  everyGuardrail,
  isAbout,
  mayBeUrgent,
  reply,
  type Scaffold,
  says,
  tag,
  task
} from "./Scaffold.ts"

/** For plumbing, heating, electrics, roofing and cleaning. Emergencies have precedence, then visits and quotes. */
export const homeServices: Scaffold = {
  name: "home_services",
  title: "Home services",
  description:
    "Plumbers, electricians, roofers, heating, cleaning: emergencies get a callback first, quotes need a visit.",
  notes: ["Replies with prices wait for a person. Describe possible promises in assistant.knowledge."],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Friendly and short. Ask for the address, what is wrong and when somebody is at home. Never name a price or promise a time of arrival."
    },
    guardrails: [
      ...everyGuardrail("21:00", "07:00", 3),
      { id: "prices", kind: "no_prices" },
      {
        id: "promises",
        kind: "blocked_phrases",
        phrases: ["we guarantee", "guaranteed price", "free of charge", "at no cost", "covered by your insurance"]
      }
    ],
    scoreWeights: { urgency: 2, has_phone: 1.5, channel: 1.5 },
    rules: [
      ...everyBusiness,
      {
        id: "applicant",
        name: "Applications go to the office",
        priority: 8,
        when: says(
          "job opening",
          "are you hiring",
          "apprenticeship",
          "my resume",
          "my cv",
          "work for you",
          "bewerbung",
          "lebenslauf",
          "ausbildungsplatz",
          "candidature",
          "mon cv",
          "mi currículum",
          "mi cv",
          "candidatura",
          "curriculum",
          "mio cv"
        ),
        actions: [tag("applicant"), task("review", "Look at an application", 2_880), ...byHand]
      },
      {
        id: "emergency",
        name: "Emergencies get an immediate callback",
        priority: 10,
        when: {
          all: [
            mayBeUrgent,
            {
              any: [
                says(
                  "burst",
                  "flooding",
                  "flooded",
                  "water everywhere",
                  "under water",
                  "sewage",
                  "gas leak",
                  "smell gas"
                ),
                says("smell of gas", "no heat", "no heating", "without heating", "without any heating", "no hot water"),
                says("without hot water", "no power", "without power", "sparks", "burning smell"),
                says(
                  "rohrbruch",
                  "wasserrohrbruch",
                  "überschwemmt",
                  "überflutet",
                  "wasserschaden",
                  "gasgeruch",
                  "undicht"
                ),
                says("tropft", "stromausfall", "kein strom", "kein warmwasser", "heizung", "nach gas", "notfall"),
                says(
                  "inondé",
                  "inondée",
                  "inondation",
                  "fuite",
                  "fuites",
                  "coule partout",
                  "odeur de gaz",
                  "sent le gaz"
                ),
                says(
                  "plus de chauffage",
                  "sans chauffage",
                  "plus d'eau chaude",
                  "plus d'électricité",
                  "plus de courant"
                ),
                says("inundando", "inundado", "inundada", "reventado", "reventó", "tubería rota", "gotera", "goteras"),
                says(
                  "fuga de agua",
                  "fuga de gas",
                  "olor a gas",
                  "huele a gas",
                  "sin calefacción",
                  "sin agua caliente"
                ),
                says("sin luz", "allagata", "allagato", "allagamento", "scoppiato", "scoppiata", "tubo rotto"),
                says(
                  "perdita d'acqua",
                  "perdita di gas",
                  "fuga di gas",
                  "odore di gas",
                  "puzza di gas",
                  "piove dentro"
                ),
                says("senza riscaldamento", "senza acqua calda", "senza corrente", "emergenza", "emergencia"),
                {
                  all: [
                    { fact: "classification.urgency", op: "eq", value: "high" },
                    says("leak", "leaks", "leaking", "broken")
                  ]
                }
              ]
            }
          ]
        },
        actions: [
          tag("emergency"),
          task("callback", "Call back an emergency now", 15),
          reply(
            "We have received your message and will call you back as soon as possible. If you can do so safely, turn off the water or the power at the mains.",
            "If you smell gas, leave the building first and call the emergency line of your gas supplier from outside."
          )
        ]
      },
      {
        id: "reschedule",
        name: "Appointments to move",
        priority: 20,
        when: {
          any: [
            isAbout("cancellation"),
            says(
              "reschedule",
              "another day",
              "move my appointment",
              "move our appointment",
              "verschieben",
              "verlegen",
              "reporter",
              "décaler",
              "otro día",
              "cambiar la cita",
              "aplazar",
              "spostare",
              "rimandare",
              "altro giorno"
            )
          ]
        },
        actions: [tag("reschedule"), task("callback", "Move or cancel an appointment", 120)]
      },
      {
        id: "after_sales",
        name: "Complaints about finished work",
        priority: 30,
        when: says(
          "warranty",
          "guarantee",
          "you installed",
          "you fitted",
          "you fixed",
          "you repaired",
          "since your visit",
          "garantie",
          "gewährleistung",
          "sie eingebaut",
          "sie repariert",
          "vous avez installé",
          "vous avez réparé",
          "garantía",
          "ustedes instalaron",
          "garanzia",
          "avete installato",
          "avete riparato"
        ),
        actions: [tag("after_sales"), task("callback", "Call back about finished work", 240)]
      },
      {
        id: "quote",
        name: "Quotes start with a visit",
        priority: 40,
        when: isAbout("pricing", "purchase"),
        actions: [
          tag("quote"),
          task("follow_up", "Prepare a quote", 480),
          reply(
            "Thank you for asking us. So that we can give you a fair price, please send us your address, a few words about the work and, if you can, two or three photos.",
            "When would a short visit suit you?"
          )
        ]
      },
      {
        id: "visit",
        name: "Requests for a visit get a time",
        priority: 50,
        when: { all: [isAbout("booking"), { fact: "contact.tags", op: "not_includes", value: "emergency" }] },
        actions: [
          tag("visit"),
          task("callback", "Agree on a visit", 240),
          reply("Gladly. Please tell us your address and two times that suit you, and we will confirm one of them.")
        ]
      }
    ]
  }
}
