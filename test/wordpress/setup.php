<?php
/**
 * Turns unpacked files and an empty database into the shop "Maple Street Books".
 *
 * Run by `site start`: php setup.php WORDPRESS-DIR pretty|plain HOME yes|no
 * "yes" makes the tables of a network too; network.php does the rest.
 * Prints TOOLPRESS_TEST_<ROLE>_USER and _PASSWORD lines once the site answers. All but the passwords is the same every time.
 */

[ , $root, $permalinks, $home, $multisite ] = $argv;

// Before WordPress: it needs the database to exist, and a host name to believe that it is being visited.
define( 'WP_INSTALLING', true );
$config = file_get_contents( "$root/wp-config.php" );
preg_match( "/'DB_HOST', 'localhost:(.*?)'/", $config, $socket );
$_SERVER['HTTP_HOST']       = parse_url( $home, PHP_URL_HOST ) . ':' . parse_url( $home, PHP_URL_PORT );
$_SERVER['REQUEST_URI']     = parse_url( $home, PHP_URL_PATH ) . '/';
$_SERVER['REQUEST_METHOD']  = 'GET';
$_SERVER['REMOTE_ADDR']     = '127.0.0.1';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';

// The socket is there a moment before the server listens on it.
mysqli_report( MYSQLI_REPORT_OFF );
for ( $polls = 0; ! ( $db = @mysqli_connect( 'localhost', 'root', '', '', 0, $socket[1] ) ); $polls++ ) {
	$polls < 400 || exit( fail( 'no connection to MariaDB: ' . mysqli_connect_error() ) );
	usleep( 50000 );
}
mysqli_query( $db, 'CREATE DATABASE wordpress CHARACTER SET utf8mb4' ) || exit( fail( mysqli_error( $db ) ) );
mysqli_close( $db );

function fail( string $message ): int {
	fwrite( STDERR, "$message\n" );
	return 1;
}

/** Anything WordPress hands back, or the end of the set-up. */
function must( $value, string $what ) {
	if ( ! $value || is_wp_error( $value ) ) {
		exit( fail( "$what: " . ( is_wp_error( $value ) ? $value->get_error_message() : 'failed' ) ) );
	}
	return $value;
}

// WordPress mails its new owner.
function wp_new_blog_notification() {}

require "$root/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

// WordPress asks the half-made site whether permalinks work there.
add_filter( 'pre_http_request', static fn() => new WP_Error( 'offline' ) );

wp_install( 'Maple Street Books', 'admin', 'admin@example.com', true, '', 'admin' );

// WordPress's own first post, page and comment.
foreach ( get_posts( array( 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1 ) ) as $post ) {
	wp_delete_post( $post->ID, true );
}

foreach (
	array(
		'blogdescription'     => 'New and used books since 1987',
		// Not UTC: a test that mixes up local and universal time should fail.
		'timezone_string'     => 'America/Toronto',
		'permalink_structure' => 'plain' === $permalinks ? '' : '/%year%/%monthnum%/%day%/%postname%/',
		'users_can_register'  => 0,
		'bookshop_prices'     => array(),
		'bookshop_notes'      => array(),
	) as $name => $value
) {
	update_option( $name, $value );
}

$users = array( 'admin' => get_user_by( 'login', 'admin' )->ID );
foreach ( array( 'editor' => 'Edith Moore', 'author' => 'Arthur Penn', 'subscriber' => 'Sue Reader' ) as $role => $name ) {
	$users[ $role ] = must(
		wp_insert_user(
			array(
				'user_login'      => $role,
				'user_pass'       => $role,
				'user_email'      => "$role@example.com",
				'display_name'    => $name,
				'role'            => $role,
				'user_registered' => '2025-01-02 09:00:00',
			)
		),
		$role
	);
}
wp_set_current_user( $users['admin'] );

$categories = array();
foreach ( array( 'News' => 'What happens at the shop', 'Events' => 'Readings, signings and clubs' ) as $name => $description ) {
	$categories[ $name ] = must( wp_insert_term( $name, 'category', array( 'description' => $description ) ), $name )['term_id'];
}
foreach ( array( 'fiction', 'poetry', 'children' ) as $name ) {
	must( wp_insert_term( $name, 'post_tag' ), $name );
}

/** title, site time, author, category, tags, what it says */
$posts = array(
	array( 'A New Year on Maple Street', '2025-01-04 09:30:00', 'admin', 'News', array(), 'We are back from the holidays, with longer hours on Thursdays.' ),
	array( 'Winter Reading List', '2025-01-18 10:00:00', 'editor', 'News', array( 'fiction' ), 'Twelve novels for long evenings, from Tove Jansson to Kazuo Ishiguro.' ),
	array( 'Poetry Night with Local Voices', '2025-02-14 18:00:00', 'editor', 'Events', array( 'poetry' ), 'Seven poets, one microphone, and hot cider by the door.' ),
	array( 'Shelf Talk: Why We Love Used Books', '2025-03-01 11:15:00', 'author', 'News', array(), 'A used book has two stories. The second one is in the margins.' ),
	array( 'Children\'s Story Hour Returns', '2025-03-22 10:00:00', 'author', 'Events', array( 'children' ), 'Saturday mornings at ten, on the blue carpet.' ),
	array( 'Signing: The Lighthouse Keeper\'s Ledger', '2025-04-12 14:00:00', 'editor', 'Events', array( 'fiction' ), 'Meet the author and have your copy signed.' ),
	array( 'Independent Bookshop Day', '2025-04-26 09:00:00', 'admin', 'Events', array(), 'Ten percent off all day, and cake & coffee until it is gone.' ),
	array( 'Summer Hours', '2025-06-01 08:00:00', 'admin', 'News', array(), 'From June we open at nine.' ),
	array( 'The Café Corner: Émile Recommends', '2025-07-05 12:00:00', 'author', 'News', array( 'fiction' ), 'Naïve, tender, funny: three books “for the train” – 日本語も.' ),
	array( 'Book Club Reads Middlemarch', '2025-09-10 19:00:00', 'editor', 'Events', array( 'fiction' ), 'Eight parts, eight Wednesdays. Newcomers are welcome.' ),
	array( 'Haiku Workshop', '2025-10-11 15:30:00', 'editor', 'Events', array( 'poetry', 'children' ), 'Five, seven, five: bring a pencil.' ),
	array( 'Holiday Gift Guide', '2025-11-20 09:00:00', 'author', 'News', array(), 'Not finished: still waiting for the cookbooks.' ),
);
$ids = array();
foreach ( $posts as [ $title, $date, $author, $category, $tags, $text ] ) {
	$ids[ $title ] = must(
		wp_insert_post(
			array(
				'post_title'    => $title,
				'post_content'  => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->",
				'post_excerpt'  => $text,
				'post_status'   => 'Holiday Gift Guide' === $title ? 'draft' : 'publish',
				'post_author'   => $users[ $author ],
				'post_date'     => $date,
				'post_category' => array( $categories[ $category ] ),
				'tags_input'    => $tags,
			),
			true
		),
		$title
	);
}

$pages = array(
	'About the Shop' => 'Three rooms, nine thousand books and a cat called Quarto.',
	'Visit Us'       => '12 Maple Street. Open Tuesday to Sunday.',
	'Order a Book'   => 'Tell us the title, and we have it in three days.',
);
foreach ( $pages as $title => $text ) {
	must(
		wp_insert_post(
			array(
				'post_type'    => 'page',
				'post_title'   => $title,
				'post_content' => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->",
				'post_status'  => 'publish',
				'post_author'  => $users['admin'],
				'post_date'    => '2025-01-03 12:00:00',
			),
			true
		),
		$title
	);
}

$comments = array(
	array( 'Nora', '2025-02-15 09:12:00', 'The cider was excellent, and so was the sonnet about the tram.' ),
	array( 'Ibrahim', '2025-02-16 20:40:00', 'When is the next one?' ),
);
foreach ( $comments as [ $name, $date, $text ] ) {
	must(
		wp_insert_comment(
			array(
				'comment_post_ID'      => $ids['Poetry Night with Local Voices'],
				'comment_author'       => $name,
				'comment_author_email' => strtolower( $name ) . '@example.com',
				'comment_content'      => $text,
				'comment_date'         => $date,
				'comment_date_gmt'     => get_gmt_from_date( $date ),
				'comment_approved'     => 1,
			)
		),
		"comment by $name"
	);
}

$canvas = imagecreatetruecolor( 320, 200 );
imagefill( $canvas, 0, 0, imagecolorallocate( $canvas, 0xf4, 0xec, 0xd8 ) );
foreach ( array( 0x8b2f2f, 0x2f5d8b, 0x3d7a4a, 0xb8862b, 0x5b3d7a ) as $n => $colour ) {
	imagefilledrectangle( $canvas, 40 + 48 * $n, 50, 80 + 48 * $n, 170, $colour );
}
ob_start();
imagepng( $canvas );
$file  = must( wp_upload_bits( 'shelf.png', null, ob_get_clean(), '2025/01' ), 'upload' );
$media = must(
	wp_insert_attachment(
		array(
			'post_title'     => 'The shelf by the window',
			'post_mime_type' => 'image/png',
			'post_status'    => 'inherit',
			'post_author'    => $users['admin'],
			'post_date'      => '2025-01-03 12:30:00',
		),
		$file['file'],
		0,
		true
	),
	'attachment'
);
update_post_meta( $media, '_wp_attachment_image_alt', 'Five books on a shelf' );
wp_update_attachment_metadata( $media, wp_generate_attachment_metadata( $media, $file['file'] ) );

flush_rewrite_rules( false );

if ( 'yes' === $multisite ) {
	// WordPress guessed these: there are no constants, which would be the address of every site.
	update_option( 'siteurl', $home );
	update_option( 'home', $home );
	foreach ( $wpdb->tables( 'ms_global' ) as $table => $name ) {
		$wpdb->$table = $name;
	}
	install_network();
	must( populate_network( 1, $_SERVER['HTTP_HOST'], 'admin@example.com', 'Maple Street', $_SERVER['REQUEST_URI'], false ), 'network' );
}

$lines = '';
foreach ( $users as $role => $id ) {
	$created = must( WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'toolpress tests' ) ), "application password of $role" );
	$role    = strtoupper( $role );
	$lines  .= "TOOLPRESS_TEST_{$role}_USER='" . get_userdata( $id )->user_login . "'\n";
	$lines  .= "TOOLPRESS_TEST_{$role}_PASSWORD='" . WP_Application_Passwords::chunk_password( $created[0] ) . "'\n";
}

// Only a site that answers is announced; network.php waits for a network.
$url = rest_url();
for ( $polls = 0; 'no' === $multisite && ! str_contains( ( @file_get_contents( $url ) ? $http_response_header[0] : '' ), ' 200' ); $polls++ ) {
	$polls < 200 || exit( fail( "$url does not answer 200: " . ( $http_response_header[0] ?? 'no connection' ) ) );
	usleep( 50000 );
}
echo $lines;
