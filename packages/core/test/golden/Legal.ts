import type { Golden } from "./Golden.ts"

/** Golden sentences of the preset `legal`. */
export const legal: ReadonlyArray<Golden> = [
  ["en", "support", "high", "deadline criminal", "My husband has just been arrested and is at the police station."],
  ["en", "support", "high", "deadline", "I was served with court papers and have ten days to respond."],
  ["en", "booking", "medium", "family consultation", "I want to get divorced and would like to make an appointment."],
  [
    "en",
    "support",
    "medium",
    "injury consultation",
    "I slipped in a supermarket and injured my back. Do I have a claim?"
  ],
  ["en", "support", "medium", "employment consultation", "My boss fired me while I was on sick leave."],
  [
    "en",
    "support",
    "medium",
    "estate consultation",
    "My mother passed away without a will and I need a probate lawyer."
  ],
  ["en", "pricing", "medium", "consultation", "What do you charge for an initial consultation?"],
  ["en", "information", "medium", "client", "Has anything happened in my case since April?"],
  ["en", "other", "medium", "other_side", "I act on behalf of my client, Mr Hall. This letter is without prejudice."],
  ["en", "cancellation", "medium", "", "Please cancel the call on Wednesday, I no longer need it."],
  ["en", "complaint", "medium", "complaint", "I have been waiting for an answer for six weeks, this is unacceptable."],
  ["en", "other", "medium", "", "Nobody was injured and there was no accident, thank God. Just saying hello."],
  [
    "de",
    "support",
    "high",
    "deadline criminal",
    "Mein Bruder wurde heute Nacht verhaftet, bitte rufen Sie sofort zurück."
  ],
  ["de", "support", "high", "deadline", "Ich habe eine Vorladung bekommen, der Gerichtstermin ist am Montag."],
  [
    "de",
    "booking",
    "medium",
    "family consultation",
    "Ich möchte mich scheiden lassen und brauche einen Beratungstermin."
  ],
  ["de", "support", "medium", "employment consultation", "Mir wurde fristlos gekündigt, obwohl ich krank war."],
  ["de", "pricing", "medium", "consultation", "Was kostet eine Erstberatung bei Ihnen?"],
  ["de", "support", "medium", "estate consultation", "Mein Vater ist gestorben und es gibt Streit um das Erbe."],
  ["fr", "support", "high", "deadline criminal", "Mon fils a été arrêté hier soir et il est en garde à vue."],
  ["fr", "support", "high", "deadline", "J'ai reçu une convocation au tribunal pour la semaine prochaine."],
  ["fr", "booking", "medium", "family consultation", "Je souhaite divorcer et prendre rendez-vous avec une avocate."],
  ["fr", "support", "medium", "employment consultation", "J'ai été licenciée sans motif après dix ans."],
  ["fr", "pricing", "medium", "consultation", "Quels sont vos honoraires pour une première consultation ?"],
  ["es", "support", "high", "deadline criminal", "Han detenido a mi hermano y está en la comisaría."],
  ["es", "booking", "medium", "family consultation", "Quiero divorciarme, ¿puedo pedir una cita?"],
  ["es", "support", "medium", "employment consultation", "Me han despedido estando de baja médica."],
  ["es", "pricing", "medium", "consultation", "¿Cuánto cuesta la primera consulta?"],
  ["es", "support", "medium", "injury consultation", "Tuve un accidente de moto y estoy lesionado."],
  [
    "it",
    "support",
    "high",
    "deadline criminal",
    "Mio cugino è stato arrestato stanotte, abbiamo bisogno di un avvocato."
  ],
  ["it", "booking", "medium", "family consultation", "Vorrei divorziare, posso avere un appuntamento?"],
  ["it", "support", "medium", "employment consultation", "Sono stato licenziato senza preavviso."],
  ["it", "pricing", "medium", "consultation", "Quanto costa una prima consulenza?"],
  ["it", "support", "medium", "estate consultation", "Dopo la morte di mio nonno non riusciamo a dividere l'eredità."]
]
