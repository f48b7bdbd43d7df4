import type { WordList } from "./Lexicon.ts"

/** Spanish phrases, without accents. */
export const spanish: WordList = {
  unsubscribe:
    "darme de baja de la lista, denme de baja de, dame de baja de, deme de baja de, darme de baja del boletin, baja de la lista, baja del boletin, baja de su lista, no quiero recibir mas, no deseo recibir, no me envien mas, no me escriban, no me llamen, no me contacten, dejen de enviarme, dejen de escribirme, dejen de llamarme, borrenme de, eliminenme de, quitenme de",
  cancellation:
    "cancel*, anul*, dar de baja, darme de baja, rescindir, rescision, baja de mi, terminar el contrato, no puedo acudir, no podre acudir, no puedo asistir, no podre asistir",
  complaint:
    "queja, quejas, quejarme, reclamacion, reclamar, decepcionad*, descontent*, inaceptable*, inadmisible*, verguenza, vergonzoso, devuelvan, devolucion del dinero, reembols*, estafa, maleducad*, grosero, grosera, nadie responde, nadie contesta, nadie ha venido, nadie vino, sigo esperando, meses esperando, semanas esperando, nunca mas, pesimo, pesima, insatisfech*, indignad*, chapuza, enfadad*, fatal servicio, sin respuesta",
  pricing:
    "precio, precios, cuanto cuesta, cuanto costaria, cuanto cobran, cuanto vale, cuanto seria, cuanto, cuesta, costaria, coste, costo, presupuesto*, tarifa, tarifas, descuento*, honorarios, cotizacion, cuota mensual, cuotas",
  booking:
    "cita, citas, reservar, reserva, agendar, concertar, disponibilidad, visita, visitar, pasar a ver, venir a ver, ver el piso, ver la casa, cambiar la cita, mover la cita, aplazar, posponer, otro dia, llamenme, llameme, devolver la llamada, me llamen, prueba de conduccion, probar el coche, consulta, pedir hora",
  purchase:
    "comprar, compra, pedir un, contratar, interesad*, me interesa, busco un, busco una, buscamos un, buscamos una, encargar",
  support:
    "ayuda, ayudar, ayudarme, problema, problemas, roto, rota, averia, no funciona, no funcionan, dejo de funcionar, error, garantia, factura, reparar, reparacion, accidente, siniestro, dar un parte, robado, robaron, robo, lesionad*, despedido, despedida, despidieron, fallecido, fallecio, murio, dolor, gotera, danos",
  information:
    "informacion, mas detalles, horario, horarios, ofrecen, tienen, aceptan, hacen, es posible, seria posible, quisiera saber, pregunta sobre, folleto, sigue disponible, todavia disponible, aun disponible, en alquiler, para alquilar, vender, tasacion*, mudado, mudamos, direccion nueva, nueva direccion",
  emergency:
    "emergencia, inunda*, inundado, inundada, inundacion, reventado, reventada, revento, tuberia rota, tuberia .. rota, gotera, goteras, fuga de agua, fuga de gas, escape de gas, olor a gas, huele a gas, sin calefaccion, sin agua caliente, sin luz, no hay calefaccion, agua por todas partes, cae agua, entra agua, sale agua, chispas, huele a quemado, dolor de muelas, dolor de dientes, dolor de muela, dolor terrible, mucho dolor, dolor fuerte, dolor insoportable, insoportable, hinchad*, sangra, sangrar, sangrado, sangrando, diente roto, roto un diente, roto una muela, caido un diente, flemon, detenido, detenida, han detenido, arrestad*, comisaria, citacion, juicio manana, tirado, tirada, averiado, averiada, no arranca, grua, incendio, han entrado a robar",
  urgent:
    "urgente, urgentemente, urgencia, cuanto antes, lo antes posible, inmediatamente, de inmediato, ahora mismo, hoy mismo, venir hoy, ya mismo, en seguida, enseguida, rapido por favor, lo mas pronto posible, ser hoy",
  unhurried:
    "sin prisa, no hay prisa, no corre prisa, no es urgente, sin urgencia, cuando puedan, cuando pueda, el ano que viene, el mes que viene, proximo mes, proximo ano, algun dia, con calma, no tengo prisa",
  positive:
    "gracias, perfecto, genial, excelente, encantad*, contento, contenta, feliz, estupendo, maravilloso, recomiendo, satisfech*",
  negative:
    "decepcionad*, enfadad*, descontent*, indignad*, terrible, horrible, pesimo, pesima, malo, mala, inaceptable*, verguenza, estafa, maleducad*, queja, insatisfech*",
  negation: "no, ningun, ninguna, ninguno, nunca, jamas, sin, ni, nadie, tampoco",
  noNegation:
    "no se si, no se cuanto, no se como, no estoy segur*, por que no, no solo, no entiendo, no funciona, no arranca, no hay problema, no para de, sin respuesta",
  resolved:
    "ya esta arreglado, ya esta reparado, esta solucionado, se ha solucionado, ya no duele, ya no sale, ya funciona, esta resuelto"
}
