export * from './channel';
export { channels } from './registry';
export { type AddressRule, addressRule } from './http/addresses';
export { Sender } from './http/sender';
export { MAIL_CONNECTIONS, openMailer, type SmtpSettings } from './email/mailer';
