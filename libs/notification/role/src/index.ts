export { notificationDispatcher } from './role';
