import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './activity.css';
import './charts.css';
import './console.css';
import './lists.css';
import './parts.css';
