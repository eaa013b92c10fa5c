/** A ticket in words: `Opening Night, Standing`. */
export function nameOfTicket({ ticketType }: { ticketType: { name: string; event: { name: string } } }): string {
  return `${ticketType.event.name}, ${ticketType.name}`;
}
