export { NotificationPage } from './NotificationPage';
export { NotificationsPage } from './NotificationsPage';
